import { type Fraction, toNumber } from './fraction.ts';
import { median, sortAscending } from './median.ts';

/** Subtracted from n in the variance: the unbiased one. Stated in every output. */
export const degreesOfFreedomLost = 1;

export interface CoefficientOfVariation {
  /** Standard deviation divided by mean, a fraction of 1. */
  value: number;
  ddof: typeof degreesOfFreedomLost;
}

/**
 * Variance of integers, exactly: with s = sum x and q = sum x^2 it is (n q - s^2) / (n (n - 1)).
 * null for fewer than two values: one has no deviation.
 */
export function variance(values: readonly bigint[]): Fraction | null {
  if (values.length <= degreesOfFreedomLost) return null;
  const n = BigInt(values.length);
  let sum = 0n;
  let squares = 0n;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  return {
    numerator: n * squares - sum * sum,
    denominator: n * (n - BigInt(degreesOfFreedomLost)),
  };
}

/** (sd/mean)^2 of positive integers, exactly; null for fewer than two values. */
export function squaredVariation(values: readonly bigint[]): Fraction | null {
  const spread = variance(values);
  if (spread === null) return null;
  const n = BigInt(values.length);
  const sum = values.reduce((total, value) => total + value, 0n);
  return { numerator: spread.numerator * n * n, denominator: spread.denominator * sum * sum };
}

/** The coefficient of variation of positive integers in any common unit. */
export function coefficientOfVariation(values: readonly bigint[]): CoefficientOfVariation | null {
  const squared = squaredVariation(values);
  return squared && { value: Math.sqrt(toNumber(squared)), ddof: degreesOfFreedomLost };
}

/** (max - min) / median of positive integers, exactly; null for fewer than two values. */
export function relativeRange(values: readonly bigint[]): Fraction | null {
  const middle = median(values);
  if (middle === null || values.length < 2) return null;
  const sorted = sortAscending(values);
  const range = sorted.at(-1)! - sorted[0]!;
  return { numerator: range * middle.denominator, denominator: middle.numerator };
}
