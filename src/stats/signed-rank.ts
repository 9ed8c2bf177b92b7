import { medianOfSorted, sortNumbers } from './number-median.ts';
import { doubledMidranks } from './ranks.ts';
import { signFlipTail } from './sign-flips.ts';
import { isWithinLevel, type TailProbability, tailValue } from './tail-probability.ts';

export interface SignedRankTest {
  n: number;
  zeros: number;
  positiveSum: number;
  negativeSum: number;
  pValue: number;
  method: 'exact' | 'normal';
}

/**
 * Wilcoxon signed rank test of "the differences are symmetric about zero": |d| are ranked (midranks),
 * W+ and W- are the rank sums of the positive and the negative ones, p is the share of the 2^n
 * signs with |W+* - W-*| >= |W+ - W-|. Zeros are dropped and counted. Exact with ties up to n = 60;
 * beyond it normal with tie and continuity correction. Assumes symmetry, which one slow trial
 * breaks. p = 1 when n is 0. (Wilcoxon 1945, doi:10.2307/3001968.)
 */
export function signedRankTest(differences: readonly number[]): SignedRankTest {
  const nonzero = differences.filter((difference) => difference !== 0);
  const doubled = doubledMidranks(nonzero.map(Math.abs));
  const sum = (isWanted: (difference: number) => boolean) =>
    doubled.reduce((total, rank, index) => total + (isWanted(nonzero[index]!) ? rank : 0), 0);
  const positive = sum((difference) => difference > 0);
  const negative = sum((difference) => difference < 0);
  const tail = signFlipTail(doubled, positive - negative);
  return {
    n: nonzero.length,
    zeros: differences.length - nonzero.length,
    positiveSum: positive / 2,
    negativeSum: negative / 2,
    pValue: tailValue(tail),
    method: tail.method,
  };
}

/** Hodges-Lehmann estimate of the differences' centre (median of Walsh averages) with its interval. */
export interface WalshInterval {
  estimate: number;
  lower: number;
  upper: number;
  /** The k-th smallest and largest of n(n+1)/2 averages. */
  k: number;
  averages: number;
  coverage: number;
}

/**
 * The signed rank test turned into an interval: the k-th smallest and largest Walsh average
 * (d_i + d_j)/2, i <= j, with the largest k whose coverage 1 - 2 P(W+ <= k-1) is at least `level`
 * (Hodges & Lehmann 1963, doi:10.1214/aoms/1177704172). Coverage is exact up to n = 60, beyond it
 * normal. Assumes independent differences, symmetric about their centre: ties make it conservative,
 * one slow trial drags it.
 * @returns null for fewer than 6 differences (at 0.95). [1,2,4]: estimate 2.25.
 */
export function walshInterval(differences: readonly number[], level: number): WalshInterval | null {
  const n = differences.length;
  const k = lowerWalshRank(n, level);
  if (k === 0) return null;
  const sorted = walshAverages(differences);
  return {
    estimate: medianOfSorted(sorted)!,
    lower: sorted[k - 1]!,
    upper: sorted[sorted.length - k]!,
    k,
    averages: sorted.length,
    coverage: 1 - tailValue(outside(n, k)),
  };
}

/** Median of Walsh averages; null of nothing. */
export function walshEstimate(differences: readonly number[]): number | null {
  return medianOfSorted(walshAverages(differences));
}

function walshAverages(differences: readonly number[]): number[] {
  return sortNumbers(
    differences.flatMap((first, index) =>
      differences.slice(index).map((second) => (first + second) / 2),
    ),
  );
}

/** The largest k that covers, or 0 when not even the whole range of averages does. */
function lowerWalshRank(n: number, level: number): number {
  let covers = 0;
  let beyond = Math.floor((n * (n + 1)) / 4) + 1; // the middle covers nothing
  while (beyond - covers > 1) {
    const k = Math.floor((covers + beyond) / 2);
    if (isWithinLevel(outside(n, k), level)) covers = k;
    else beyond = k;
  }
  return covers;
}

/** 2 P(W+ <= k-1) for n untied ranks, as the tail of W+ - W-, in doubled ranks. */
function outside(n: number, k: number): TailProbability {
  const doubledRanks = Array.from({ length: n }, (_, index) => 2 * (index + 1));
  return signFlipTail(doubledRanks, n * (n + 1) - 4 * (k - 1));
}
