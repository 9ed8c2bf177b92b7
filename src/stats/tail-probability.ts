import erfc from '@stdlib/math-base-special-erfc';
import { compareFractions, type Fraction, fractionOfDecimal, toNumber } from './fraction.ts';

/** Values a side up to which the exact distributions are counted. */
export const largestExactCount = 60;

/** A two-sided tail: counted exactly, or from a normal approximation where there are too many. */
export type TailProbability =
  | { method: 'exact'; share: Fraction }
  | { method: 'normal'; value: number };

/**
 * Two-sided tail of a normal law beyond `distance` from its centre, drawn in by the continuity
 * correction: erfc((distance - correction) / (sd sqrt 2)), at most 1; 1 when there is no deviation.
 */
export function normalTail(
  distance: number,
  standardDeviation: number,
  correction: number,
): TailProbability {
  const z = Math.max(0, distance - correction) / standardDeviation;
  return { method: 'normal', value: standardDeviation === 0 ? 1 : erfc(z / Math.SQRT2) };
}

export function tailValue(tail: TailProbability): number {
  return tail.method === 'exact' ? toNumber(tail.share) : tail.value;
}

/** Whether the tail is at most 1 - level, exactly: the level is the decimal it is written as. */
export function isWithinLevel(tail: TailProbability, level: number): boolean {
  const alpha = complementOf(fractionOfDecimal(level));
  return tail.method === 'exact'
    ? compareFractions(tail.share, alpha) <= 0
    : tail.value <= toNumber(alpha);
}

/** 1 - share. */
export function complementOf({ numerator, denominator }: Fraction): Fraction {
  return { numerator: denominator - numerator, denominator };
}
