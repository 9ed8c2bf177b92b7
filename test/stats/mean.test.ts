import { expect, test } from 'vitest';
import { mean, squaredDeviations } from '../../src/stats/mean.ts';

test('the mean and the squared distances from it', () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(squaredDeviations([1, 2, 6])).toBe(14);
  expect(squaredDeviations([5])).toBe(0);
});

test('small distances between large numbers keep their digits', () => {
  expect(squaredDeviations([1e9 + 1, 1e9 + 2, 1e9 + 3])).toBe(2);
});
