import { expect, test } from 'vitest';
import { mannWhitneyTest, shiftEstimate, shiftInterval } from '../../src/stats/mann-whitney.ts';
import { logTimesA, logTimesB, seriesA, seriesB } from './worked-times.ts';

const zeros = (n: number) => Array<number>(n).fill(0);
const even = Array.from({ length: 60 }, (_, i) => 2 * i);
const odd = even.map((value) => value + 21);

test('the worked samples have U = 90 and p = 0.00150468726', () => {
  const result = mannWhitneyTest(logTimesA, logTimesB);
  expect(result).toMatchObject({ u: 90, method: 'exact' });
  expect(result.pValue).toBeCloseTo(0.001504687263201195, 16);
});

test('ties count half and are conditioned on', () => {
  expect(mannWhitneyTest([1, 2, 2, 3], [2, 3, 4, 4])).toEqual({
    u: 13.5,
    pValue: 0.2,
    method: 'exact',
  });
  const unequal = mannWhitneyTest([1, 2, 2, 3, 5], [2, 3, 4, 4, 4, 6, 7]);
  expect(unequal.u).toBe(27.5);
  expect(unequal.pValue).toBeCloseTo(41 / 396, 15);
});

test('no evidence in one side, in equal values, or in a U of half', () => {
  expect(mannWhitneyTest([], [1, 2])).toEqual({ u: 0, pValue: 1, method: 'exact' });
  expect(mannWhitneyTest([], [])).toMatchObject({ pValue: 1 });
  expect(mannWhitneyTest(zeros(5), zeros(8))).toEqual({ u: 20, pValue: 1, method: 'exact' });
  expect(mannWhitneyTest(zeros(100), zeros(100))).toEqual({ u: 5000, pValue: 1, method: 'normal' });
});

test('sixty a side are exact, where counts pass 2^53', () => {
  const untied = mannWhitneyTest(even, odd);
  expect(untied).toMatchObject({ u: 2375, method: 'exact' });
  expect(untied.pValue).toBeCloseTo(0.0023702780925379096, 16);
  const sixths = (values: number[]) => values.map((value) => Math.floor(value / 6));
  const tied = mannWhitneyTest(sixths(even), sixths(odd));
  expect(tied).toMatchObject({ u: 2349, method: 'exact' });
  expect(tied.pValue).toBeCloseTo(0.0036936354490908056, 16);
});

test('seventy a side are normal, with tie and continuity correction as scipy has them', () => {
  const untied = mannWhitneyTest(seriesA(70), seriesB(70, 9));
  expect(untied).toMatchObject({ u: 2815, method: 'normal' });
  expect(untied.pValue).toBeCloseTo(0.12872320754535133, 12);
  const tenths = (values: number[]) => values.map((value) => Math.floor(value / 10));
  const tied = mannWhitneyTest(tenths(seriesA(70)), tenths(seriesB(70, 9)));
  expect(tied.u).toBe(2814);
  expect(tied.pValue).toBeCloseTo(0.12802440844829274, 12);
});

test('the worked shift is the 24th of 100 differences, as a ratio 1.0998', () => {
  const interval = shiftInterval(logTimesA, logTimesB, 0.95)!;
  expect(Math.exp(interval.estimate)).toBeCloseTo(1.099831376776336, 12);
  expect(Math.exp(interval.lower)).toBeCloseTo(1.0971004720161834, 12);
  expect(Math.exp(interval.upper)).toBeCloseTo(1.102027027027027, 12);
  expect(interval).toMatchObject({ k: 24, differences: 100 });
  expect(interval.coverage).toBeCloseTo(0.9567429474550218, 14);
});

test('the rank at 95 % is the tabled one for n = 3 to 30 a side', () => {
  const ranks = Array.from(
    { length: 28 },
    (_, i) => shiftInterval(zeros(i + 3), zeros(i + 3), 0.95)?.k ?? 0,
  );
  expect(ranks).toEqual([
    0, 1, 3, 6, 9, 14, 18, 24, 31, 38, 46, 56, 65, 76, 88, 100, 114, 128, 143, 159, 176, 193, 212,
    231, 251, 273, 295, 318,
  ]);
});

test('unequal and long sides have their exact ranks, longer ones a normal one', () => {
  expect(shiftInterval(zeros(5), zeros(9), 0.95)?.k).toBe(8);
  expect(shiftInterval(zeros(60), zeros(50), 0.95)?.k).toBe(1174);
  const sixty = shiftInterval(zeros(60), zeros(60), 0.95)!;
  expect(sixty.k).toBe(1427);
  expect(sixty.coverage).toBeCloseTo(0.9502930274934018, 14);
  // The exact rank is 1980 too, with coverage 0.95031.
  const seventy = shiftInterval(zeros(70), zeros(70), 0.95)!;
  expect(seventy.k).toBe(1980);
  expect(seventy.coverage).toBeCloseTo(0.9501025714170824, 12);
});

test('the estimate is there where no interval is', () => {
  expect(shiftInterval([1, 5, 2], [4, 9, 8], 0.95)).toBeNull();
  expect(shiftEstimate([1, 5, 2], [4, 9, 8])).toBe(4); // of -1 2 3 3 4 6 6 7 8
  expect(shiftEstimate([3], [5])).toBe(2);
  expect(shiftEstimate([3], [])).toBeNull();
});

test('the sides keep their roles: the estimate is of b - a', () => {
  expect(shiftInterval([1, 2, 3, 4], [11, 12, 13, 14], 0.95)).toMatchObject({
    estimate: 10,
    lower: 7,
    upper: 13,
    k: 1,
  });
  expect(shiftInterval([], [1], 0.95)).toBeNull();
});
