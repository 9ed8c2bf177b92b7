import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomisationInterval, randomisationTest } from '../../src/stats/randomisation-test.ts';
import { logTimesA, logTimesB, seriesA, seriesB } from './worked-times.ts';

test('the worked rounds have their rank differences and p = 12/1024', () => {
  expect(randomisationTest(logTimesA, logTimesB)).toEqual({
    statistic: 80,
    rankDifferences: [8, 15, 3, 12, 13, 9, 7, 14, -8, 7],
    pValue: 12 / 1024,
    method: 'exact',
  });
});

test('three rounds apart give 2/8, and no interval', () => {
  expect(randomisationTest([1, 2, 3], [4, 5, 6]).pValue).toBe(0.25);
  expect(randomisationInterval([1, 2, 3], [4, 5, 6], 0.95)).toBeNull();
  expect(randomisationTest([], [])).toMatchObject({ statistic: 0, pValue: 1 });
  expect(randomisationInterval([], [], 0.95)).toBeNull();
});

test('five rounds cannot reach 0.05, six can, and a level that is reached exactly counts', () => {
  const low = [1, 2, 3, 4, 5];
  const high = low.map((value) => value + 10);
  expect(randomisationTest(low, high).pValue).toBe(0.0625);
  expect(randomisationInterval(low, high, 0.95)).toBeNull();
  expect(randomisationInterval(low, high, 0.9375)).not.toBeNull();
  expect(randomisationInterval([...low, 6], [...high, 16], 0.95)).not.toBeNull();
});

test('the worked ratio interval is [1.0964, 1.1025]', () => {
  const interval = randomisationInterval(logTimesA, logTimesB, 0.95)!;
  expect(Math.exp(interval.lower)).toBeCloseTo(1.0964261631827377, 12);
  expect(Math.exp(interval.upper)).toBeCloseTo(1.1024949426837491, 12);
});

test('small samples have the interval that trying every shift and sign gives', () => {
  const a = [4, 9, 2, 7, 1, 5, 8];
  const b = [6, 12, 9, 8, 3, 4, 15];
  expect(randomisationTest(a, b).pValue).toBe(1 / 16);
  expect(randomisationInterval(a, b, 0.95)).toMatchObject({ lower: 0, upper: 7 });
  expect(randomisationInterval(a, b, 0.9)).toMatchObject({ lower: 0, upper: 5 });
  expect(randomisationInterval(a, b, 1 - 1 / 64)).toMatchObject({ lower: -1, upper: 7 });
  const steps = randomisationInterval([10, 20, 30, 40, 50, 60], [11, 23, 35, 41, 57, 62], 0.95);
  expect(steps).toMatchObject({ lower: 1, upper: 7 });
});

test('an end whose own shift is rejected is open', () => {
  const a = [102, 100, 100, 100, 101, 100, 100];
  const b = [101, 103, 101, 102, 104, 101, 101];
  expect(randomisationTest(a, b).pValue).toBe(4 / 128);
  const interval = randomisationInterval(a, b, 0.95);
  expect(interval).toEqual({ lower: 0, upper: 3, isLowerOpen: true, isUpperOpen: false });
  const mirrored = randomisationInterval(b, a, 0.95);
  expect(mirrored).toEqual({ lower: -3, upper: 0, isLowerOpen: false, isUpperOpen: true });
  // logarithms of such times, of which rounding has lost a little in each round
  const log = (times: number[], lost: number) =>
    times.map((time, round) => Math.log(time * 1e5) + lost * ((round * 3) % 7));
  const logs = randomisationInterval(log(a, 0), log(b, -4e-15), 0.95)!;
  expect(logs).toMatchObject({ lower: 0, isLowerOpen: true });
  expect(logs.upper).toBeCloseTo(Math.log(1.03), 12);
});

test('ties are ties although logarithms round', () => {
  expect(randomisationTest([1, 1, 2, 3, 5, 8], [2, 1, 3, 3, 6, 9]).pValue).toBe(0.125);
  // The same samples scaled and taken as logarithms: ranks, p and interval stay.
  const log = (values: number[]) => values.map((value) => Math.log(1e6 * 1.1 ** value));
  const a = [4, 9, 2, 7, 1, 5, 8];
  const b = [6, 12, 9, 8, 3, 4, 15];
  expect(randomisationTest(log(a), log(b)).pValue).toBe(1 / 16);
  const interval = randomisationInterval(log(a), log(b), 0.95)!;
  expect(interval.lower / Math.log(1.1)).toBeCloseTo(0, 10);
  expect(interval.upper / Math.log(1.1)).toBeCloseTo(7, 10);
});

test('ties are ties where values pass through zero, too', () => {
  const tenths = (values: number[]) => values.map((value) => (value - 4) / 10);
  const a = tenths([4, 9, 2, 7, 1, 5, 8]);
  const b = tenths([6, 12, 9, 8, 3, 4, 15]);
  const interval = randomisationInterval(a, b, 0.95)!;
  expect(interval.lower).toBeCloseTo(0, 12);
  expect(interval.upper).toBeCloseTo(0.7, 12);
  // 5.6e-17 is zero but for the rounding of values around one.
  expect(randomisationTest([0.1 + 0.2 - 0.3, 1, 2], [0, 3, 4]).rankDifferences).toEqual([0, 2, 2]);
});

test('sixty rounds are exact, seventy normal', () => {
  const sixty = randomisationTest(seriesA(60), seriesB(60, 15));
  expect(sixty).toMatchObject({ statistic: 979, method: 'exact' });
  expect(sixty.pValue).toBeCloseTo(7680510625499953 / 2 ** 59, 17);
  // The exact p of the seventy is 0.009669.
  const seventy = randomisationTest(seriesA(70), seriesB(70, 15));
  expect(seventy).toMatchObject({ statistic: 1255, method: 'normal' });
  expect(seventy.pValue).toBeCloseTo(0.010475119266506778, 12);
});

test('beyond sixty rounds the correction is half a step of the lattice that the sums lie on', () => {
  // Eight places lie between the two of each round: 40 of 64 go up, S = 128 of steps of 16. Exact: .0599.
  const a = Array.from({ length: 64 }, (_, round) => 16 * Math.floor(round / 8) + (round % 8));
  const b = a.map((value) => value + 8);
  const [first, second] = [a, b].map((values, side) =>
    values.map((value, round) => (round < 40 ? value : [b, a][side]![round]!)),
  );
  const { rankDifferences, pValue, method } = randomisationTest(first!, second!);
  expect(new Set(rankDifferences.map(Math.abs))).toEqual(new Set([8]));
  expect(method).toBe('normal');
  expect(pValue).toBeCloseTo(0.060792723530522785, 12);
});

test('ties are what rounding alone sets apart: 0.2 ns of 10 s is a difference', () => {
  const seconds = [1e10, 3e10, 2e10].map(Math.log);
  const later = [1e10 + 0.2, 3e10 + 0.6, 2e10 - 0.4].map(Math.log);
  expect(randomisationTest(seconds, later).rankDifferences).toEqual([1, 1, -1]);
  const shifted = seconds.map((log) => log + 0.1 + 0.2 - 0.3);
  expect(randomisationTest(seconds, shifted).rankDifferences).toEqual([0, 0, 0]);
});

test('unpaired values are refused', () => {
  expect(() => randomisationTest([1, 2], [1])).toThrow('2 and 1 are not pairs');
  const six = [1, 2, 3, 4, 5, 6];
  expect(() => randomisationInterval(six, [1], 0.95)).toThrow('6 and 1 are not pairs');
});

const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 })), {
  minLength: 6,
  maxLength: 12,
});

test('exchanging the arms mirrors the interval and keeps p', () => {
  fc.assert(
    fc.property(pairs, (rounds) => {
      const a = rounds.map(([first]) => first);
      const b = rounds.map(([, second]) => second);
      expect(randomisationTest(b, a).pValue).toBe(randomisationTest(a, b).pValue);
      const interval = randomisationInterval(a, b, 0.95)!;
      const mirrored = randomisationInterval(b, a, 0.95)!;
      expect(mirrored.lower + interval.upper).toBe(0);
      expect(mirrored.upper + interval.lower).toBe(0);
    }),
  );
});

test('p is at most 0.05 just when 0 is beyond the interval or on an open end', () => {
  const few = fc.integer({ min: 0, max: 4 });
  const tied = fc.array(fc.tuple(few, few), { minLength: 6, maxLength: 10 });
  const shifted = fc.integer({ min: 0, max: 3 });
  fc.assert(
    fc.property(tied, shifted, (rounds, shift) => {
      const a = rounds.map(([first]) => first);
      const b = rounds.map(([, second]) => second + shift);
      const { lower, upper, isLowerOpen, isUpperOpen } = randomisationInterval(a, b, 0.95)!;
      const isAbove = isLowerOpen ? lower >= 0 : lower > 0;
      const isBelow = isUpperOpen ? upper <= 0 : upper < 0;
      expect(isAbove || isBelow).toBe(randomisationTest(a, b).pValue <= 0.05);
    }),
  );
});

test('what the test does not reject lies in the interval', () => {
  fc.assert(
    fc.property(pairs, fc.integer({ min: -40, max: 40 }), (rounds, halves) => {
      const a = rounds.map(([first]) => first);
      const b = rounds.map(([, second]) => second);
      const shift = halves / 2;
      const { pValue } = randomisationTest(
        a,
        b.map((value) => value - shift),
      );
      fc.pre(pValue > 0.05);
      const interval = randomisationInterval(a, b, 0.95)!;
      expect(interval.lower).toBeLessThanOrEqual(shift);
      expect(interval.upper).toBeGreaterThanOrEqual(shift);
    }),
  );
});

test('beyond sixty rounds the ends are where the normal p passes 0.05', () => {
  const a = seriesA(70);
  const b = seriesB(70, 15);
  const interval = randomisationInterval(a, b, 0.95)!;
  const pAt = (shift: number) =>
    randomisationTest(
      a,
      b.map((value) => value - shift),
    ).pValue;
  expect(pAt(interval.lower + 0.5)).toBeGreaterThan(0.05);
  expect(pAt(interval.lower - 0.5)).toBeLessThanOrEqual(0.05);
  expect(pAt(interval.upper - 0.5)).toBeGreaterThan(0.05);
  expect(pAt(interval.upper + 0.5)).toBeLessThanOrEqual(0.05);
});
