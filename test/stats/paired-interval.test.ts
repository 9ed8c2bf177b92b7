import { expect, test } from 'vitest';
import { pairedInterval } from '../../src/stats/paired-interval.ts';
import { logRatios } from './worked-times.ts';

test('the worked log-ratios are covered by their second and ninth', () => {
  const interval = pairedInterval(logRatios, 0.95)!;
  expect(Math.exp(interval.lower)).toBeCloseTo(1.0956228956228957, 12);
  expect(Math.exp(interval.upper)).toBeCloseTo(1.1033085752869682, 12);
  expect(interval.ranks).toEqual([2, 9]);
  expect(interval.coverage).toEqual({ numerator: 1002n, denominator: 1024n });
});

test('the order of the pairs does not matter and values are not sorted as text', () => {
  expect(pairedInterval([10, 9, -1, 100, 2, 1], 0.95)).toMatchObject({ lower: -1, upper: 100 });
});

test('five pairs have no interval', () => {
  expect(pairedInterval([1, 2, 3, 4, 5], 0.95)).toBeNull();
  expect(pairedInterval([], 0.95)).toBeNull();
});
