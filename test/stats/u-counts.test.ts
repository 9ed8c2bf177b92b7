import { expect, test } from 'vitest';
import { binomialCoefficient, countUArrangements } from '../../src/stats/u-counts.ts';

test('three and two values have ten arrangements, symmetric in U', () => {
  expect(countUArrangements(3, 2, 6)).toEqual([1n, 1n, 2n, 2n, 2n, 1n, 1n]);
  expect(countUArrangements(2, 3, 6)).toEqual([1n, 1n, 2n, 2n, 2n, 1n, 1n]);
});

test('counts of sixty and sixty sum to C(120,60)', () => {
  const sum = countUArrangements(60, 60, 3600).reduce((total, count) => total + count, 0n);
  expect(sum).toBe(96614908840363322603893139521372656n);
  expect(binomialCoefficient(120, 60)).toBe(96614908840363322603893139521372656n);
});

test('there is one way to choose none, or all', () => {
  expect(binomialCoefficient(7, 0)).toBe(1n);
  expect(binomialCoefficient(7, 7)).toBe(1n);
  expect(binomialCoefficient(0, 0)).toBe(1n);
});
