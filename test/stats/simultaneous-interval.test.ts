import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatFraction, toNumber } from '../../src/stats/fraction.ts';
import { medianCoverage } from '../../src/stats/median-interval.ts';
import {
  fewestForSimultaneousInterval,
  jointCoverage,
  mostItemsForSimultaneousInterval,
  simultaneousInterval,
} from '../../src/stats/simultaneous-interval.ts';
import { timesA } from './worked-times.ts';

const ascending = (n: number) => Array.from({ length: n }, (_, at) => BigInt(at + 1));

test('one of 24 items with ten trials is covered by its whole range', () => {
  const interval = simultaneousInterval(timesA, 24, 0.95)!;
  expect([interval.lower, interval.upper, interval.ranks]).toEqual([1478n, 1694n, [1, 10]]);
  expect(Number(interval.upper) / Number(interval.lower)).toBeCloseTo(1.14614344, 8);
  expect(formatFraction(interval.coverage)).toBe('511/512');
});

test('24 such intervals cover jointly with at least 0.953125', () => {
  const coverages = new Array(24).fill(medianCoverage(10, 1));
  expect(toNumber(jointCoverage(coverages))).toBe(0.953125);
  expect(jointCoverage(coverages).denominator).toBe(1024n);
});

test('nine trials cannot serve 24 items: they would cover with 0.90625', () => {
  expect(simultaneousInterval(timesA.slice(1), 24, 0.95)).toBeNull();
  expect(toNumber(jointCoverage(new Array(24).fill(medianCoverage(9, 1))))).toBe(0.90625);
});

test('ten trials serve 25 items and not 26', () => {
  expect(simultaneousInterval(timesA, 25, 0.95)).not.toBeNull();
  expect(simultaneousInterval(timesA, 26, 0.95)).toBeNull();
});

test('from 14 trials on the second and last but one cover one of 24', () => {
  expect(simultaneousInterval(ascending(13), 24, 0.95)?.ranks).toEqual([1, 13]);
  expect(simultaneousInterval(ascending(14), 24, 0.95)?.ranks).toEqual([2, 13]);
});

test('a family of one has the interval of its own', () => {
  expect(simultaneousInterval(timesA, 1, 0.95)?.ranks).toEqual([2, 9]);
});

test('a coverage exactly equal to the divided level is enough', () => {
  // 1 - (1 - 0.9375) / 32 = 511/512.
  expect(simultaneousInterval(timesA, 32, 0.9375)?.ranks).toEqual([1, 10]);
  expect(simultaneousInterval(timesA, 33, 0.9375)).toBeNull();
  expect(mostItemsForSimultaneousInterval(10, 0.9375)).toBe(32);
});

test('a family without an item, or with part of one, is refused', () => {
  expect(() => simultaneousInterval(timesA, 0, 0.95)).toThrow(RangeError);
  expect(() => simultaneousInterval(timesA, 1.5, 0.95)).toThrow(RangeError);
});

test('the joint coverage of different numbers of trials adds what each misses', () => {
  // 2/64 + 2/1024 + 22/1024 missed of 1.
  const coverages = [medianCoverage(6, 1), medianCoverage(10, 1), medianCoverage(10, 2)];
  expect(formatFraction(jointCoverage(coverages))).toBe('121/128');
  expect(formatFraction(jointCoverage([...coverages].reverse()))).toBe('121/128');
  expect(jointCoverage([...coverages].reverse()).denominator).toBe(1024n);
  const thirds = { numerator: 2n, denominator: 3n };
  expect(formatFraction(jointCoverage([thirds, { numerator: 4n, denominator: 5n }]))).toBe('7/15');
});

test('a family that misses more than all says nothing, none misses nothing', () => {
  expect(toNumber(jointCoverage(new Array(33).fill(medianCoverage(6, 1))))).toBe(0);
  expect(toNumber(jointCoverage([]))).toBe(1);
});

test('the fewest trials and the most items that can be served are each other turned round', () => {
  expect(fewestForSimultaneousInterval(24, 0.95)).toBe(10);
  expect([0, 1, 5, 6, 9, 10, 13].map((n) => mostItemsForSimultaneousInterval(n, 0.95))).toEqual([
    0, 0, 0, 1, 12, 25, 204,
  ]);
  expect(mostItemsForSimultaneousInterval(2000, 0.95)).toBe(9007199254740991);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), (familySize) => {
      const n = fewestForSimultaneousInterval(familySize, 0.95);
      expect(mostItemsForSimultaneousInterval(n, 0.95)).toBeGreaterThanOrEqual(familySize);
      expect(mostItemsForSimultaneousInterval(n - 1, 0.95)).toBeLessThan(familySize);
    }),
  );
});
