import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toNumber } from '../../src/stats/fraction.ts';
import { median } from '../../src/stats/median.ts';
import { timesA, timesB } from './worked-times.ts';

test('the median of the worked samples is 14.825 and 16.305 ms', () => {
  expect(median(timesA)).toEqual({ numerator: 2965n, denominator: 2n });
  expect(median(timesB)).toEqual({ numerator: 3261n, denominator: 2n });
});

test('the median of nothing is null, of one value the value, of three the middle', () => {
  expect(median([])).toBeNull();
  expect(median([7n])).toEqual({ numerator: 7n, denominator: 1n });
  expect(median([9n, 1n, 5n])).toEqual({ numerator: 5n, denominator: 1n });
});

test('values beyond the safe integers keep their last digit', () => {
  const large = 2n ** 60n;
  expect(median([large + 1n, large + 2n])).toEqual({ numerator: 2n ** 61n + 3n, denominator: 2n });
});

test('as many values lie below the median as above, whatever their order', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 1n, max: 1000n }), { minLength: 1 }), (values) => {
      const middle = toNumber(median(values)!);
      const below = values.filter((value) => Number(value) < middle).length;
      const above = values.filter((value) => Number(value) > middle).length;
      expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 2);
      expect(median([...values].reverse())).toEqual(median(values));
    }),
  );
});
