import { compareFractions, type Fraction, fractionOfDecimal } from './fraction.ts';
import { relativeRange, squaredVariation } from './variation.ts';

/** A trial as the flag sees it: what its kept repetitions took in all, and how they vary. */
export interface FlaggedTrial {
  sum: bigint;
  /** Whether their coefficient of variation is at most its limit; null when nobody knows. */
  inTrialPasses: boolean | null;
}

/**
 * Whether the relative range (max - min) / median of the trials' sums is at most its limit, exactly,
 * and every trial passes by itself. It is no test of equivalence.
 * @param maxRelativeRange a decimal fraction of 1, inclusive
 * @returns null for fewer than two trials, or when one trial's own verdict is not known
 */
export function isStable(
  trials: readonly FlaggedTrial[],
  maxRelativeRange: number,
): boolean | null {
  const range = relativeRange(trials.map(({ sum }) => sum));
  if (range === null || trials.some(({ inTrialPasses }) => inTrialPasses === null)) return null;
  return (
    compareFractions(range, fractionOfDecimal(maxRelativeRange)) <= 0 &&
    trials.every(({ inTrialPasses }) => inTrialPasses === true)
  );
}

/** Whether the CV (ddof 1) is at most the limit, exactly; null for fewer than two values. */
export function variationIsAtMost(kept: readonly bigint[], maxInTrialCv: number): boolean | null {
  const square = squaredVariation(kept);
  return square && compareFractions(square, squareLimit(maxInTrialCv)) <= 0;
}

/** What a squared coefficient of variation may be at most, exactly. */
export function squareLimit(maxInTrialCv: number): Fraction {
  const { numerator, denominator } = fractionOfDecimal(maxInTrialCv);
  return { numerator: numerator ** 2n, denominator: denominator ** 2n };
}
