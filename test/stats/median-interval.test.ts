import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatFraction, toNumber } from '../../src/stats/fraction.ts';
import {
  fewestForInterval,
  lowerRankFor,
  medianCoverage,
  medianInterval,
} from '../../src/stats/median-interval.ts';
import { timesA } from './worked-times.ts';

test('ten values cover with 511/512, 501/512 and 57/64', () => {
  expect([1, 2, 3].map((rank) => formatFraction(medianCoverage(10, rank)))).toEqual([
    '511/512',
    '501/512',
    '57/64',
  ]);
  expect(toNumber(medianCoverage(10, 2))).toBe(0.978515625);
});

test('the lower rank at 95 % is the tabled one for n = 0 to 30', () => {
  const ranks = Array.from({ length: 31 }, (_, n) => lowerRankFor(n, 0.95));
  expect(ranks).toEqual([
    0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 8, 8, 8, 9, 9, 10,
  ]);
});

test('a coverage equal to the level is enough', () => {
  expect(lowerRankFor(10, 0.978515625)).toBe(2);
  expect(lowerRankFor(10, 0.9785156251)).toBe(1);
});

test('a level that no decimal writes is compared exactly', () => {
  // 501/512 and the least more, at a denominator that no double resolves.
  const large = 10n ** 30n;
  expect(lowerRankFor(10, { numerator: 501n, denominator: 512n })).toBe(2);
  expect(lowerRankFor(10, { numerator: 501n * large + 1n, denominator: 512n * large })).toBe(1);
  const twoThirds = { numerator: 2n, denominator: 3n };
  expect(fewestForInterval(twoThirds)).toBe(3);
  expect(medianInterval([3n, 1n, 2n], twoThirds)?.ranks).toEqual([1, 3]);
});

test('the worked sample is covered by its second and ninth values', () => {
  expect(medianInterval(timesA, 0.95)).toEqual({
    lower: 1479n,
    upper: 1486n,
    coverage: { numerator: 1002n, denominator: 1024n },
    ranks: [2, 9],
  });
});

test('five values have no interval at 95 %, six do', () => {
  expect(medianInterval([1n, 2n, 3n, 4n, 5n], 0.95)).toBeNull();
  expect(medianInterval([], 0.95)).toBeNull();
  expect(medianInterval([6n, 1n, 2n, 3n, 4n, 5n], 0.95)?.ranks).toEqual([1, 6]);
  expect(fewestForInterval(0.95)).toBe(6);
});

test('ties are kept in the interval', () => {
  const interval = medianInterval([5n, 5n, 5n, 5n, 5n, 5n], 0.95);
  expect([interval?.lower, interval?.upper]).toEqual([5n, 5n]);
});

test('one rank further in would cover less than the level', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 6, max: 400 }),
      fc.constantFrom(0.5, 0.9, 0.95, 0.96, 0.99),
      (n, level) => {
        const rank = lowerRankFor(n, level);
        if (rank > 0) expect(toNumber(medianCoverage(n, rank))).toBeGreaterThanOrEqual(level);
        if (2 * (rank + 1) <= n) {
          expect(toNumber(medianCoverage(n, rank + 1))).toBeLessThan(level);
        }
      },
    ),
  );
});
