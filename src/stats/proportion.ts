import betaincinv from '@stdlib/math-base-special-betaincinv';
import { fractionOfDecimal } from './fraction.ts';

/** A share of trials with its Clopper-Pearson bounds. */
export interface ProportionBounds {
  lower: number;
  upper: number;
}

/**
 * Two-sided Clopper-Pearson bounds of a probability after `successes` of n independent trials that
 * all have it: with a = (1 - level) / 2, the lower bound is the a-quantile of
 * Beta(successes, n - successes + 1), the upper the (1 - a)-quantile of
 * Beta(successes + 1, n - successes). Conservative: at least `level` is covered for every probability.
 * No success: the lower is 0; nothing but successes: the upper is 1; n = 0: [0, 1], nothing is known.
 * 3 of 192 at 0.95: .00323391, .04498154 (Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404).
 * @throws RangeError unless 0 <= successes <= n
 */
export function proportionBounds(successes: number, n: number, level: number): ProportionBounds {
  const failures = n - successes;
  if (!Number.isInteger(successes) || !Number.isInteger(n) || successes < 0 || failures < 0) {
    throw new RangeError(`${successes} of ${n} is no share of trials`);
  }
  const outside = (1 - level) / 2;
  return {
    lower: successes === 0 ? 0 : betaincinv(outside, successes, failures + 1),
    upper: failures === 0 ? 1 : betaincinv(outside, successes + 1, failures, true),
  };
}

/**
 * The quantile q that the largest of n independent values bounds from above with confidence `level`:
 * all n lie below it with probability q^n, so q = (1 - level)^(1/n). n = 10 at 0.95: .741; n = 0: 0.
 * Exact for a continuous distribution, conservative otherwise (David & Nagaraja, Order Statistics,
 * 3rd ed., 7.1).
 */
export function quantileBoundedByMaximum(n: number, level: number): number {
  return (1 - level) ** (1 / n);
}

/**
 * Fewest values whose maximum bounds a quantile: the least n with 1 - quantile^n >= level, decided
 * exactly. 29 for .9, 59 for .95, 299 for .99 at 0.95.
 * @param quantile @param level decimal fractions of 1, both strictly between 0 and 1
 */
export function fewestToBoundQuantile(quantile: number, level: number): number {
  const below = fractionOfDecimal(quantile);
  const covered = fractionOfDecimal(level);
  const missed = covered.denominator - covered.numerator;
  const isEnough = (n: number) =>
    below.numerator ** BigInt(n) * covered.denominator <= missed * below.denominator ** BigInt(n);
  // The logarithms may be off by one where they meet a whole number.
  let n = Math.max(1, Math.floor(Math.log(1 - level) / Math.log(quantile)) - 1);
  while (!isEnough(n)) n++;
  return n;
}
