import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adjustByHolm } from '../../src/stats/holm.ts';

test('the worked family: 4 p-values by hand', () => {
  // 4 x .005, then 3 x .01, then the larger of that and 2 x .03, then 1 x .04 which may not be less.
  expect(adjustByHolm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
});

test('one p-value stays as it is, none stay none, and nothing exceeds 1', () => {
  expect(adjustByHolm([0.25])).toEqual([0.25]);
  expect(adjustByHolm([])).toEqual([]);
  expect(adjustByHolm([0.9, 0.8])).toEqual([1, 1]);
});

test('members of the family without a p-value count', () => {
  expect(adjustByHolm([0.01], 3)).toEqual([0.03]);
  expect(() => adjustByHolm([0.01, 0.02], 1)).toThrow(RangeError);
});

test('order is kept, no p-value shrinks, and none exceeds Bonferroni’s', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (ps) => {
      const adjusted = adjustByHolm(ps);
      ps.forEach((p, i) => {
        expect(adjusted[i]).toBeGreaterThanOrEqual(p);
        expect(adjusted[i]).toBeLessThanOrEqual(Math.min(1, ps.length * p));
        ps.forEach((other, j) => {
          if (p < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]!);
        });
      });
    }),
  );
});
