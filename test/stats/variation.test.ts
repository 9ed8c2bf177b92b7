import { expect, test } from 'vitest';
import { toNumber } from '../../src/stats/fraction.ts';
import { coefficientOfVariation, relativeRange } from '../../src/stats/variation.ts';
import { timesA, timesB } from './worked-times.ts';

test('five repetitions around 14.82 ms vary by 0.172 %', () => {
  const cv = coefficientOfVariation([1480n, 1485n, 1479n, 1482n, 1484n]);
  expect(cv?.value).toBeCloseTo(0.00172031697, 11);
  expect(cv?.ddof).toBe(1);
});

test('one slow repetition gives 0.0502733, where ddof 0 would give 0.0449658', () => {
  const cv = coefficientOfVariation([1000n, 1000n, 1000n, 1000n, 1115n]);
  expect(cv?.value).toBeCloseTo(0.0502733, 7);
});

test('the worked samples have their CV and relative range', () => {
  expect(coefficientOfVariation(timesA)?.value).toBeCloseTo(0.0446314458, 10);
  expect(toNumber(relativeRange(timesA)!)).toBeCloseTo(0.145699831, 9);
  expect(toNumber(relativeRange(timesB)!)).toBeCloseTo(0.00551977921, 11);
});

test('one value has neither deviation nor range, equal values have none', () => {
  expect(coefficientOfVariation([])).toBeNull();
  expect(coefficientOfVariation([5n])).toBeNull();
  expect(relativeRange([5n])).toBeNull();
  expect(coefficientOfVariation([5n, 5n, 5n])?.value).toBe(0);
  expect(toNumber(relativeRange([5n, 5n])!)).toBe(0);
});

test('a deviation of one part in 10^12 does not drown in rounding', () => {
  const large = 10n ** 15n;
  const cv = coefficientOfVariation([large - 1000n, large, large + 1000n]);
  expect(cv?.value).toBe(1e-12);
});
