import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fewestToBoundQuantile,
  proportionBounds,
  quantileBoundedByMaximum,
} from '../../src/stats/proportion.ts';

const closeTo = (value: number) => expect.closeTo(value, 13);

test('the worked shares have their bounds', () => {
  expect(proportionBounds(0, 10, 0.95)).toEqual({ lower: 0, upper: closeTo(0.3084971078187606) });
  expect(proportionBounds(1, 10, 0.95)).toEqual({
    lower: closeTo(0.0025285785444617856),
    upper: closeTo(0.4450161170281952),
  });
  expect(proportionBounds(3, 192, 0.95)).toEqual({
    lower: closeTo(0.0032339148333589383),
    upper: closeTo(0.044981544323545286),
  });
  expect(proportionBounds(0, 240, 0.95)).toEqual({ lower: 0, upper: closeTo(0.01525281040127879) });
});

test('other levels and many trials agree with the quantiles of the beta distribution', () => {
  expect(proportionBounds(7, 12, 0.99)).toEqual({
    lower: closeTo(0.20852775684900937),
    upper: closeTo(0.8966445227773822),
  });
  expect(proportionBounds(999, 1000, 0.95)).toEqual({
    lower: closeTo(0.9944410757201734),
    upper: closeTo(0.9999746825125088),
  });
});

test('nothing is known of no trials, and one bound is sure when all agree', () => {
  expect(proportionBounds(0, 0, 0.95)).toEqual({ lower: 0, upper: 1 });
  expect(proportionBounds(10, 10, 0.95)).toEqual({ lower: closeTo(0.6915028921812394), upper: 1 });
});

test('what is no share of trials is refused', () => {
  for (const [successes, n] of [
    [3, 2],
    [-1, 2],
    [0.5, 2],
    [0, Number.NaN],
  ]) {
    expect(() => proportionBounds(successes!, n!, 0.95)).toThrow(RangeError);
  }
});

test('the bounds hold the share between them and mirror those of the failures', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }).chain((n) => fc.tuple(fc.nat({ max: n }), fc.constant(n))),
      ([successes, n]) => {
        const { lower, upper } = proportionBounds(successes, n, 0.95);
        expect(lower).toBeLessThanOrEqual(successes / n);
        expect(upper).toBeGreaterThanOrEqual(successes / n);
        const mirrored = proportionBounds(n - successes, n, 0.95);
        expect(mirrored.lower).toBeCloseTo(1 - upper, 12);
        expect(mirrored.upper).toBeCloseTo(1 - lower, 12);
      },
    ),
  );
});

test('the largest of ten bounds only the 74.1 % quantile, of none no quantile at all', () => {
  expect(quantileBoundedByMaximum(10, 0.95)).toBeCloseTo(0.7411344491069477, 14);
  expect(quantileBoundedByMaximum(1, 0.95)).toBeCloseTo(0.05, 14);
  expect(quantileBoundedByMaximum(0, 0.95)).toBe(0);
});

test('29, 59 and 299 trials bound the 90, 95 and 99 % quantiles', () => {
  expect([0.9, 0.95, 0.99].map((q) => fewestToBoundQuantile(q, 0.95))).toEqual([29, 59, 299]);
});

test('a number of trials that just reaches the level is enough', () => {
  expect(fewestToBoundQuantile(0.5, 0.75)).toBe(2);
  expect(fewestToBoundQuantile(0.1, 0.999)).toBe(3);
  expect(fewestToBoundQuantile(0.1, 0.9991)).toBe(4);
  expect(fewestToBoundQuantile(0.01, 0.5)).toBe(1);
});
