import { medianOfNumbers, medianOfSorted } from './number-median.ts';

/** Two clusters of trial means with a gap between them. */
export interface TwoSpeeds {
  isTwoSpeed: boolean;
  fastCount: number;
  slowCount: number;
  /** Medians of the two groups at the best split, in the unit of the values. */
  fastMedian: number;
  slowMedian: number;
  /** Gap between the groups, relative to the median of all. */
  relativeGap: number;
  /** Gap of the logarithms over the larger spread of logarithms inside a group. */
  gapOverSpread: number;
}

/** Fewer are not looked at. */
export const fewestValues = 6;

/** One slow trial is a tail, not a speed. */
const smallestGroup = 2;

/** Below it two speeds are too close to matter: less than half of the stable flag's 5 %. */
const leastRelativeGap = 0.02;

/**
 * Logarithms in a group count as spread by at least this much, so that equal values divide nothing. A
 * gap of 2 % is 20 times it, so that no flag depends on it.
 */
const leastRelativeSpread = 0.001;

/** The spread of a small group is often small by chance: 36/n keeps false flags of normal values at 5 %. */
function leastGapOverSpread(n: number): number {
  return Math.max(3, 36 / n);
}

/**
 * Whether the values fall into two groups with a gap between them: the sorted logarithms are split at
 * their largest gap that leaves at least 2 on each side. They have two speeds when this gap is at
 * least 3 times the larger spread inside a group (36/n times below 12 values) and at least 2 % of
 * the median of all. Spread is 1.4826 times the median absolute deviation, which one outlier in a
 * group does not enlarge; of logarithms, because what is ten times slower also varies ten times as much.
 * A flag to look, not a test: it has no p-value, and rounds that drift flag too. In simulations of one
 * speed it was raised for n = 6, 10, 14 and 30 in
 * - 5, 4, 2 and 0 % of normal samples, 4, 5, 4 and 2 % of Laplace, 4, 4, 3 and 2 % of Student's t
 *   with 3 degrees of freedom, 2, 3, 1 and 0 % of normal ones with one outlier;
 * - 9, 7, 3 and 0 % of uniform ones that span a fifth of their least value, 5, 4, 2 and 0 % of lognormal
 *   ones with sigma 1 or 1.5;
 * - long tails on one side may look like a second speed: 7, 9, 8 and 3 % of exponential excesses of 5 %,
 *   7, 9, 9 and 3 % of Pareto values with index 2, and with an excess of 10 % of index 1.5 (no finite
 *   variance) 8, 13, 16 and 16 %.
 * Of 10 normal trials with 3 or 5 of them slower by 5, 8 and 12 standard deviations about 32, 80
 * and 99 % were flagged; of 6 trials with 5 slow ones none can be.
 * @param values positive
 * @returns null for fewer than 6 values or when all are equal
 */
export function findTwoSpeeds(values: readonly number[]): TwoSpeeds | null {
  const n = values.length;
  const sorted = [...values].sort((a, b) => a - b);
  if (n < fewestValues || sorted[0] === sorted[n - 1]) return null;
  let split = smallestGroup;
  const centre = medianOfSorted(sorted)!;
  const logs = sorted.map((value) => Math.log(value / centre));
  const gapBefore = (at: number) => logs[at]! - logs[at - 1]!;
  for (let at = split + 1; at <= n - smallestGroup; at++) {
    if (gapBefore(at) > gapBefore(split)) split = at;
  }
  const fast = sorted.slice(0, split);
  const slow = sorted.slice(split);
  const spread = Math.max(
    spreadOf(logs.slice(0, split)),
    spreadOf(logs.slice(split)),
    leastRelativeSpread,
  );
  const relativeGap = (slow[0]! - fast.at(-1)!) / centre;
  const gapOverSpread = gapBefore(split) / spread;
  return {
    isTwoSpeed: gapOverSpread >= leastGapOverSpread(n) && relativeGap >= leastRelativeGap,
    fastCount: fast.length,
    slowCount: slow.length,
    fastMedian: medianOfSorted(fast)!,
    slowMedian: medianOfSorted(slow)!,
    relativeGap,
    gapOverSpread,
  };
}

/** 1.4826 times the median distance from the median: the standard deviation of normal values. */
function spreadOf(sorted: readonly number[]): number {
  const centre = medianOfSorted(sorted)!;
  return 1.4826 * medianOfNumbers(sorted.map((value) => Math.abs(value - centre)))!;
}
