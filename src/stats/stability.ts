import { compareFractions, fractionOfDecimal } from './fraction.ts';
import { relativeRange, squaredVariation } from './variation.ts';

/** Limits as decimal fractions of 1, inclusive. */
export interface StabilityLimits {
  maxRelativeRange: number;
  maxInTrialCv: number;
}

/**
 * Whether the relative range of the trials' sums and the coefficient of variation inside every
 * trial are at most their limits, compared exactly. It is no test of equivalence.
 * @param trials the kept repetitions of each valid trial, the same number in each, in whole ns
 * @returns null for fewer than two trials or fewer than two kept repetitions: nothing can vary
 */
export function isStable(
  trials: readonly (readonly bigint[])[],
  limits: StabilityLimits,
): boolean | null {
  const sums = trials.map((kept) => kept.reduce((sum, wallNs) => sum + wallNs, 0n));
  const range = relativeRange(sums);
  const squares = trials.map(squaredVariation);
  if (range === null || squares.includes(null)) return null;
  const maxCv = fractionOfDecimal(limits.maxInTrialCv);
  const maxSquare = {
    numerator: maxCv.numerator ** 2n,
    denominator: maxCv.denominator ** 2n,
  };
  return (
    compareFractions(range, fractionOfDecimal(limits.maxRelativeRange)) <= 0 &&
    squares.every((square) => compareFractions(square!, maxSquare) <= 0)
  );
}
