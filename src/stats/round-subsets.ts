import type { RandomSource } from '../random.ts';
import { compareFractions, type Fraction, fractionOfDecimal, toNumber } from './fraction.ts';
import { medianOfNumbers } from './number-median.ts';
import { relativeRange } from './variation.ts';

/** One item's trial in one round: the sum of its kept repetitions, and its in-trial CV's verdict. */
export interface RoundValue {
  sum: bigint;
  inTrialPasses: boolean;
}

export interface RoundSubsets {
  rounds: number;
  size: number;
  /** Subsets looked at: all C(rounds, size), or so many random ones when there are too many. */
  subsets: number;
  isExhaustive: boolean;
  /** Items that pass, over the subsets. */
  minimum: number;
  maximum: number;
  mean: number;
  /** histogram[k]: subsets in which k items pass; one longer than the number of items. */
  histogram: number[];
}

/** Beyond as many as 50 rounds taken by threes have, the work would grow and the histogram would not. */
const mostSubsets = 20_000;

/** Standard error of the mean share of passing items: at most .5 / sqrt(10,000) = .005. */
const sampledSubsets = 10_000;

/**
 * How many items pass the stable flag in each subset of `size` rounds: every trial of the subset
 * within the in-trial limit, and (max - min) / median <= `maxRelativeRange`, compared exactly. It
 * shows what fewer rounds would have said of the same data. The subsets share samples, so their
 * spread is no standard error. Beyond 20,000 subsets 10,000 are drawn at random, with replacement.
 * @param items [item][round], every item with every round; positive sums
 * @param maxRelativeRange a decimal fraction of 1
 * @param random used only beyond 20,000 subsets
 * @returns null without items, for a size of less than 2 or of more than the rounds
 */
export function countPassingSubsets(
  items: readonly (readonly RoundValue[])[],
  size: number,
  maxRelativeRange: number,
  random: RandomSource,
): RoundSubsets | null {
  const rounds = items[0]?.length ?? 0;
  if (size < 2 || size > rounds) return null;
  const isExhaustive = countSubsets(rounds, size) <= mostSubsets;
  const limit = fractionOfDecimal(maxRelativeRange);
  const judges = items.map((item) => createJudge(item, limit));
  const histogram = new Array<number>(items.length + 1).fill(0);
  let subsets = 0;
  let passes = 0;
  for (const subset of isExhaustive
    ? allSubsets(rounds, size)
    : randomSubsets(rounds, size, sampledSubsets, random)) {
    let passing = 0;
    for (const isStableIn of judges) if (isStableIn(subset)) passing++;
    histogram[passing]!++;
    passes += passing;
    subsets++;
  }
  return {
    rounds,
    size,
    subsets,
    isExhaustive,
    minimum: histogram.findIndex((count) => count > 0),
    maximum: histogram.findLastIndex((count) => count > 0),
    mean: passes / subsets,
    histogram,
  };
}

/** Far above the rounding of a double and far below any difference that occurs by itself. */
const roundingMargin = 1e-12;

/**
 * Whether one item is stable in a subset. Floating point decides, first without the median, which
 * lies between minimum and maximum, then with it; only what is as good as equal is compared with
 * integers.
 */
function createJudge(
  item: readonly RoundValue[],
  limit: Fraction,
): (subset: readonly number[]) => boolean {
  const share = toNumber(limit);
  // A trial beyond the in-trial limit is infinitely far from all others.
  const times = Float64Array.from(item, ({ sum, inTrialPasses }) =>
    inTrialPasses ? Number(sum) : Number.POSITIVE_INFINITY,
  );
  return (subset) => {
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (let at = 0; at < subset.length; at++) {
      const time = times[subset[at]!]!;
      if (time < least) least = time;
      if (time > most) most = time;
    }
    if (most === Number.POSITIVE_INFINITY) return false;
    const margin = most * roundingMargin;
    const range = most - least;
    if (range < share * least - margin) return true;
    if (range > share * most + margin) return false;
    const distance = range - share * medianOfNumbers(subset.map((round) => times[round]!))!;
    if (Math.abs(distance) > margin) return distance < 0;
    return compareFractions(relativeRange(subset.map((round) => item[round]!.sum))!, limit) <= 0;
  };
}

/** C(n, k); exact as far as it is compared. */
function countSubsets(n: number, k: number): number {
  let count = 1;
  for (let chosen = 1; chosen <= Math.min(k, n - k); chosen++) {
    count = (count * (n - chosen + 1)) / chosen;
  }
  return count;
}

/** In lexicographic order. Each is the same array, changed. */
function* allSubsets(n: number, k: number): Generator<readonly number[]> {
  const subset = Array.from({ length: k }, (_, at) => at);
  for (;;) {
    yield subset;
    let at = k - 1;
    while (at >= 0 && subset[at] === n - k + at) at--;
    if (at < 0) return;
    subset[at]!++;
    for (let next = at + 1; next < k; next++) subset[next] = subset[next - 1]! + 1;
  }
}

/** The first k of a partly shuffled deck, `count` times. Each is the same array, changed. */
function* randomSubsets(
  n: number,
  k: number,
  count: number,
  random: RandomSource,
): Generator<readonly number[]> {
  const deck = Array.from({ length: n }, (_, at) => at);
  const subset = new Array<number>(k);
  for (let drawn = 0; drawn < count; drawn++) {
    for (let at = 0; at < k; at++) {
      const other = at + random.nextBelow(n - at);
      [deck[at], deck[other]] = [deck[other]!, deck[at]!];
      subset[at] = deck[at]!;
    }
    yield subset;
  }
}
