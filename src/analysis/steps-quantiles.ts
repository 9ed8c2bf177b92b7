import { fractionOfDecimal } from '../stats/fraction.ts';

/**
 * Place of a quantile among N values in ascending order, from 1: ceil(q N), decided exactly (the
 * inverse of the empirical distribution, type 1 of Hyndman & Fan 1996, doi:10.1080/00031305.1996.10473566).
 * It is always one of the values. .9 of 10: 9; .99 of 320: 317; .99 of 50: 50, the largest.
 * @param quantile a decimal fraction, above 0 and below 1 @param count N, from 1
 */
export function rankOfQuantile(quantile: number, count: number): number {
  const { numerator, denominator } = fractionOfDecimal(quantile);
  return Number((numerator * BigInt(count) + denominator - 1n) / denominator);
}

/** How many of N values stand at ranks above the quantile's: 32 of 320 for .9, 3 for .99, 0 for .999. */
export function countBeyond(quantile: number, count: number): number {
  return count - rankOfQuantile(quantile, count);
}
