import { expect, test } from 'vitest';
import { medianOfNumbers, sortNumbers } from '../../src/stats/number-median.ts';

test('the median is the middle value or the mean of the middle two, null of nothing', () => {
  expect(medianOfNumbers([])).toBeNull();
  expect(medianOfNumbers([10, 9, -2])).toBe(9);
  expect(medianOfNumbers([4, 1, 2, 10])).toBe(3);
});

test('sorting is by value and leaves the input alone', () => {
  const values = [10, 9, -2, 1];
  expect(sortNumbers(values)).toEqual([-2, 1, 9, 10]);
  expect(values).toEqual([10, 9, -2, 1]);
});
