import { medianOfSorted, sortNumbers } from './number-median.ts';
import { rankSumTail } from './rank-sum-tail.ts';
import { doubledMidranks, roundingOf } from './ranks.ts';
import {
  isWithinLevel,
  largestExactCount,
  normalTail,
  type TailProbability,
  tailValue,
} from './tail-probability.ts';
import { binomialCoefficient, countUArrangements } from './u-counts.ts';

export interface MannWhitneyTest {
  /** Of b: pairs in which b is larger, ties half. */
  u: number;
  pValue: number;
  method: 'exact' | 'normal';
}

/**
 * Mann-Whitney test of "a and b come from one distribution": U = rank sum of b - m(m+1)/2, p = share
 * of the choices of m of the pooled midranks whose U lies as far from nm/2. Exact conditional on the
 * ties, up to 60 values a side; beyond it normal with tie and continuity correction. Assumes that all
 * values are independent: a drift over rounds or an effect of the slot breaks this. p = 1 when a side
 * is empty. (Mann & Whitney 1947, doi:10.1214/aoms/1177730491.)
 */
export function mannWhitneyTest(a: readonly number[], b: readonly number[]): MannWhitneyTest {
  const pooled = [...a, ...b];
  const doubled = doubledMidranks(pooled, roundingOf(pooled));
  const sum = doubled.slice(a.length).reduce((total, rank) => total + rank, 0);
  const tail = rankSumTail(doubled, b.length, sum);
  return {
    u: (sum - b.length * (b.length + 1)) / 2,
    pValue: tailValue(tail),
    method: tail.method,
  };
}

export interface ShiftInterval {
  /** Hodges-Lehmann: median of all b - a. */
  estimate: number;
  lower: number;
  upper: number;
  k: number;
  differences: number;
  coverage: number;
}

/**
 * Hodges-Lehmann estimate of the shift: median of the n m differences b_j - a_i (Hodges & Lehmann 1963,
 * doi:10.1214/aoms/1177704172). null when a side is empty.
 */
export function shiftEstimate(a: readonly number[], b: readonly number[]): number | null {
  return medianOfSorted(sortDifferences(a, b));
}

/**
 * The Mann-Whitney test turned into an interval of the shift: the k-th smallest and largest of the
 * n m differences b_j - a_i, with the largest k whose coverage 1 - 2 P(U <= k-1) is at least `level`
 * (Hodges & Lehmann 1963, doi:10.1214/aoms/1177704172). Coverage is exact up to 60 values a side,
 * beyond it normal; ties make it conservative. Assumes that b is distributed as a, shifted, and all
 * values independent.
 *
 * On whatever scale the values have: give logs for ratios. null when no k reaches the level.
 */
export function shiftInterval(
  a: readonly number[],
  b: readonly number[],
  level: number,
): ShiftInterval | null {
  const outside = outsideByRank(a.length, b.length);
  const k = lowerShiftRank(outside, a.length * b.length, level);
  if (k === 0) return null;
  const sorted = sortDifferences(a, b);
  return {
    estimate: medianOfSorted(sorted)!,
    lower: sorted[k - 1]!,
    upper: sorted[sorted.length - k]!,
    k,
    differences: sorted.length,
    coverage: 1 - tailValue(outside(k)),
  };
}

function sortDifferences(a: readonly number[], b: readonly number[]): number[] {
  return sortNumbers(b.flatMap((second) => a.map((first) => second - first)));
}

/** The largest k that covers, or 0 when not even the whole range of differences does. */
function lowerShiftRank(
  outside: (k: number) => TailProbability,
  differences: number,
  level: number,
): number {
  let covers = 0;
  let beyond = Math.floor(differences / 2) + 1; // the middle covers nothing
  while (beyond - covers > 1) {
    const k = Math.floor((covers + beyond) / 2);
    if (isWithinLevel(outside(k), level)) covers = k;
    else beyond = k;
  }
  return covers;
}

/** 2 P(U <= k-1) without ties, for k up to half of the n m differences. */
function outsideByRank(n: number, m: number): (k: number) => TailProbability {
  if (Math.max(n, m) > largestExactCount) {
    const standardDeviation = Math.sqrt((n * m * (n + m + 1)) / 12);
    return (k) => normalTail((n * m) / 2 - (k - 1), standardDeviation, 0.5);
  }
  const cumulative = countUArrangements(n, m, Math.floor((n * m) / 2));
  for (let u = 1; u < cumulative.length; u++) cumulative[u]! += cumulative[u - 1]!;
  const denominator = binomialCoefficient(n + m, n);
  return (k) => ({
    method: 'exact',
    share: { numerator: 2n * cumulative[k - 1]!, denominator },
  });
}
