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
 * @param level a decimal fraction of 1, or an exact one where no decimal is (1 - 0.05 / 24)
 */
export function lowerRankFor(n: number, level: number | Fraction): number {
  const exactly = typeof level === 'number' ? fractionOfDecimal(level) : level;
  const key = `${n} ${exactly.numerator}/${exactly.denominator}`;
  const rank = knownRanks.get(key) ?? findLowerRank(n, exactly);
  knownRanks.set(key, rank);
  return rank;
}

/** Asked for again and again with the same n, and slow for thousands: integers of n bits. */
const knownRanks = new Map<string, number>();

function findLowerRank(n: number, { numerator, denominator }: Fraction): number {
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
export function fewestForInterval(level: number | Fraction): number {
  let n = 2;
  while (lowerRankFor(n, level) === 0) n++;
  return n;
}

/**
 * The order-statistic interval of the median; null when there are fewer than
 * `fewestForInterval(level)` values.
 * @param level wanted coverage, as in `lowerRankFor`
 */
export function medianInterval(
  values: readonly bigint[],
  level: number | Fraction,
): MedianInterval | null {
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
