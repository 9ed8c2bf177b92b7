import { expect, test } from 'vitest';
import { signedRankTest, walshEstimate, walshInterval } from '../../src/stats/signed-rank.ts';
import { logRatios, seriesA, seriesB } from './worked-times.ts';

test('the worked log-ratios have W+ = 54, W- = 1 and p = 4/1024', () => {
  expect(signedRankTest(logRatios)).toEqual({
    n: 10,
    zeros: 0,
    positiveSum: 54,
    negativeSum: 1,
    pValue: 0.00390625,
    method: 'exact',
  });
});

test('zeros are dropped and ties share their ranks', () => {
  expect(signedRankTest([0, 1, 1, 2, -1])).toEqual({
    n: 4,
    zeros: 1,
    positiveSum: 8,
    negativeSum: 2,
    pValue: 0.5,
    method: 'exact',
  });
  expect(signedRankTest([])).toMatchObject({ n: 0, pValue: 1, method: 'exact' });
});

test('sixty differences are exact, with ties and without', () => {
  const untied = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? -(i + 1) : i + 1));
  expect(signedRankTest(untied)).toMatchObject({ positiveSum: 1240, method: 'exact' });
  expect(signedRankTest(untied).pValue).toBeCloseTo(4651209057531449 / 2 ** 58, 17);
  const tied = seriesB(60, 15).map((value, i) => value - seriesA(60)[i]!);
  expect(signedRankTest(tied)).toMatchObject({ n: 60, positiveSum: 1257, negativeSum: 573 });
  expect(signedRankTest(tied).pValue).toBeCloseTo(6426729962587149 / 2 ** 59, 17);
});

test('seventy are normal, with ties and half a lattice step of correction; exact is 0.1216', () => {
  const differences = seriesB(70, 9).map((value, i) => value - seriesA(70)[i]!);
  const result = signedRankTest(differences);
  expect(result).toMatchObject({ n: 69, zeros: 1, negativeSum: 948, method: 'normal' });
  expect(result.pValue).toBeCloseTo(0.12112316288899926, 12);
});

test('the worked Walsh interval is the 9th of 55 averages', () => {
  const interval = walshInterval(logRatios, 0.95)!;
  expect(Math.exp(interval.estimate)).toBeCloseTo(1.0998654378793988, 12);
  expect(Math.exp(interval.lower)).toBeCloseTo(1.0297196350945068, 12);
  expect(Math.exp(interval.upper)).toBeCloseTo(1.1022609600263018, 12);
  expect(interval).toMatchObject({ k: 9, averages: 55, coverage: 0.951171875 });
});

test('the rank at 95 % is the tabled one for n = 3 to 30', () => {
  const ranks = Array.from({ length: 28 }, (_, i) => {
    return walshInterval(Array<number>(i + 3).fill(0), 0.95)?.k ?? 0;
  });
  expect(ranks).toEqual([
    0, 0, 0, 1, 3, 4, 6, 9, 11, 14, 18, 22, 26, 30, 35, 41, 47, 53, 59, 66, 74, 82, 90, 99, 108,
    117, 127, 138,
  ]);
});

test('other levels and sixty differences have their exact ranks, seventy a normal one', () => {
  expect(walshInterval(Array<number>(10).fill(0), 0.99)?.k).toBe(4);
  expect(walshInterval(Array<number>(60).fill(0), 0.95)).toMatchObject({ k: 649, averages: 1830 });
  expect(walshInterval(Array<number>(60).fill(0), 0.95)?.coverage).toBeCloseTo(
    0.9507184940156387,
    14,
  );
  // The exact rank is 908 too, with coverage 0.95048.
  expect(walshInterval(Array<number>(70).fill(0), 0.95)?.k).toBe(908);
  expect(walshInterval(Array<number>(70).fill(0), 0.95)?.coverage).toBeCloseTo(
    0.9500604242219608,
    12,
  );
});

test('the estimate is the median of the averages, null of nothing', () => {
  expect(walshEstimate([1, 2, 4])).toBe(2.25);
  expect(walshEstimate([])).toBeNull();
  expect(walshInterval([], 0.95)).toBeNull();
});
