import type { Fraction } from './fraction.ts';
import { lowerRankFor, medianCoverage } from './median-interval.ts';
import { sortNumbers } from './number-median.ts';

/** Interval (f): order statistics of paired differences; of log ratios for ratios. */
export interface PairedInterval {
  lower: number;
  upper: number;
  coverage: Fraction;
  ranks: [number, number];
}

/**
 * Order-statistic interval of the median paired difference: [d(l), d(n+1-l)] with the largest l whose
 * coverage 1 - 2 sum_{k<l} C(n,k)/2^n is at least `level`. Assumes that each difference is as likely
 * above the median as below, independently; the differences need not be distributed alike. Ties make
 * it conservative. null when n is too small (fewer than 6 at 0.95).
 * @param differences finite
 */
export function pairedInterval(
  differences: readonly number[],
  level: number,
): PairedInterval | null {
  const n = differences.length;
  const rank = lowerRankFor(n, level);
  if (rank === 0) return null;
  const sorted = sortNumbers(differences);
  return {
    lower: sorted[rank - 1]!,
    upper: sorted[n - rank]!,
    coverage: medianCoverage(n, rank),
    ranks: [rank, n + 1 - rank],
  };
}
