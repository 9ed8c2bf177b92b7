import { expect, test } from 'vitest';
import { toNumber } from '../../src/stats/fraction.ts';
import { describeTail } from '../../src/stats/tail.ts';
import { timesA, timesB } from './worked-times.ts';

test('the one slow trial is 1.1427 times the median and the only one above 1.05', () => {
  const tail = describeTail(timesA);
  expect(toNumber(tail!.maxOverMedian)).toBe(1694 / 1482.5);
  expect(tail?.slowCount).toBe(1);
  expect(describeTail(timesB)?.slowCount).toBe(0);
});

test('a value of exactly 1.05 times the median is not slow', () => {
  expect(describeTail([100n, 100n, 105n])?.slowCount).toBe(0);
  expect(describeTail([10_000n, 10_000n, 10_501n])?.slowCount).toBe(1);
});

test('nothing has no tail and one value is its own', () => {
  expect(describeTail([])).toBeNull();
  expect(toNumber(describeTail([3n])!.maxOverMedian)).toBe(1);
});
