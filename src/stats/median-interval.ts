import { type Fraction, fractionOfDecimal } from './fraction.ts';
import { sortAscending } from './median.ts';

/** A confidence interval of the population median between two order statistics. */
export interface MedianInterval {
  lower: bigint;
  upper: bigint;
  /** What the interval really covers, at least the level asked for; conservative under ties. */
  coverage: Fraction;
  /** Places of the endpoints among the sorted values, from 1. */
  ranks: [number, number];
}

/**
 * Probability that X(l) to X(n+1-l) of n independent values of one continuous distribution cover
 * its median: 1 - 2 sum_{k<l} C(n,k) / 2^n (David & Nagaraja, Order Statistics, 3rd ed., 7.1).
 * @param lowerRank l, from 1 to n/2
 */
export function medianCoverage(n: number, lowerRank: number): Fraction {
  const total = 1n << BigInt(n);
  let binomial = 1n;
  let outside = 0n;
  for (let k = 0; k < lowerRank; k++) {
    outside += binomial;
    binomial = (binomial * BigInt(n - k)) / BigInt(k + 1);
  }
  return { numerator: total - 2n * outside, denominator: total };
}

/**
 * The largest l whose interval still covers at least `level`, or 0 when not even the whole range
 * of n values does.
 */
export function lowerRankFor(n: number, level: number): number {
  const { numerator, denominator } = fractionOfDecimal(level);
  const total = 1n << BigInt(n);
  let binomial = 1n;
  let outside = 0n;
  for (let rank = 0; ; rank++) {
    outside += binomial; // now the sum over k < rank + 1
    binomial = (binomial * BigInt(n - rank)) / BigInt(rank + 1);
    const covers = (total - 2n * outside) * denominator >= numerator * total;
    if (!covers) return rank; // at the latest beyond the middle, where nothing is covered
  }
}

/** The fewest values for which an interval at this level exists: 6 at 0.95. */
export function fewestForInterval(level: number): number {
  let n = 2;
  while (lowerRankFor(n, level) === 0) n++;
  return n;
}

/**
 * The order-statistic interval of the median; null when there are fewer than
 * `fewestForInterval(level)` values.
 * @param level wanted coverage, a decimal fraction of 1
 */
export function medianInterval(values: readonly bigint[], level: number): MedianInterval | null {
  const n = values.length;
  const rank = lowerRankFor(n, level);
  if (rank === 0) return null;
  const sorted = sortAscending(values);
  return {
    lower: sorted[rank - 1]!,
    upper: sorted[n - rank]!,
    coverage: medianCoverage(n, rank),
    ranks: [rank, n + 1 - rank],
  };
}
