import { compareFractions, type Fraction, fractionOfDecimal, toNumber } from './fraction.ts';

/** S1: open-ended, by e-values. S2: within a maximum that is fixed before the data. */
export type SequentialMethod = 'S1' | 'S2';

/**
 * Evidence against "a difference is as likely above theta as below" after t nonzero rounds, k of them
 * above: E_t = 2^t Beta(k+1/4, t-k+1/4) / Beta(1/4,1/4), the likelihood ratio of a fair coin against
 * a Beta(1/4,1/4) mixture. Under the null it is a martingale of mean 1, so that the probability of
 * ever seeing E_t >= 1/alpha is at most alpha, whenever one stops (Ville 1939; Robbins 1970,
 * doi:10.1214/aoms/1177696786). Assumes rounds whose order was drawn at random.
 * @returns at most the largest double, which t > 1024 equal signs would pass
 */
export function eValue(positive: number, rounds: number): number {
  return Math.min(Number.MAX_VALUE, toNumber(exactEValue(positive, rounds)));
}

/** The same as a quotient of integers: prod_{i<k} (4i+1) prod_{i<t-k} (4i+1) / prod_{i<t} (2i+1). */
function exactEValue(positive: number, rounds: number): Fraction {
  return {
    numerator: productOf(positive, 4) * productOf(rounds - positive, 4),
    denominator: productOf(rounds, 2),
  };
}

/** prod_{i<count} (step i + 1). */
function productOf(count: number, step: number): bigint {
  let product = 1n;
  for (let i = 0; i < count; i++) product *= BigInt(step * i + 1);
  return product;
}

/**
 * Rank l_t of the confidence sequence [d(l_t), d(t+1-l_t)] after t = 1..maximum rounds (index 0 is
 * t = 1); 0: no interval yet. It covers the median difference in all rounds at once with probability
 * at least 1 - alpha.
 *
 * S1: the largest l <= t/2 with E_t(l-1) >= 1/alpha, compared exactly.
 * S2: the largest l, round after round, with which the probability of having missed by now is at most
 * `spentAlpha` (Lan & DeMets 1983, doi:10.1093/biomet/70.3.659, on a fair walk, exactly). With a
 * maximum below the first round at which 2^(1-t) <= alpha (6 at 0.05) every rank is 0: nothing is
 * ever decided.
 * @param alpha a decimal fraction of 1, divided by the number of comparisons where there are several
 */
export function sequentialRanks(
  method: SequentialMethod,
  alpha: number,
  maximum: number,
): number[] {
  return method === 'S1' ? evidenceRanks(alpha, maximum) : spendingRanks(alpha, maximum);
}

function evidenceRanks(alpha: number, maximum: number): number[] {
  const level = fractionOfDecimal(alpha);
  const ranks: number[] = [];
  let rank = 0;
  let numerator = 1n; // of E_t(rank), as in `exactEValue`, each from the one before
  let denominator = 1n;
  for (let t = 1; t <= maximum; t++) {
    numerator *= BigInt(4 * (t - 1 - rank) + 1);
    denominator *= BigInt(2 * (t - 1) + 1);
    // E_t(j) only rises once t >= 2j, so that a rank once reached stays reached.
    while (2 * (rank + 1) <= t && reaches({ numerator, denominator }, level)) {
      numerator = (numerator * BigInt(4 * rank + 1)) / BigInt(4 * (t - rank - 1) + 1);
      rank++;
    }
    ranks.push(rank);
  }
  return ranks;
}

/** E >= 1/alpha. */
function reaches({ numerator, denominator }: Fraction, alpha: Fraction): boolean {
  return numerator * alpha.numerator >= denominator * alpha.denominator;
}

function spendingRanks(alpha: number, maximum: number): number[] {
  const ranks: number[] = [];
  const walk = startWalk();
  let rank = 0;
  for (let t = 1; t <= maximum; t++) {
    step(walk);
    const budget = spentExactly(t, alpha, maximum);
    // The last rank costs nothing more in this round, so that the budget always suffices for it.
    while (2 * (rank + 1) <= t && compareFractions(missedWith(walk, rank + 1), budget) <= 0) rank++;
    stopOutside(walk, rank);
    ranks.push(rank);
  }
  return ranks;
}

/** Exact probability that the sequence ever misses, by dynamic programming over a fair walk. */
export function sequentialError(ranks: readonly number[]): number {
  const walk = startWalk();
  for (const rank of ranks) {
    step(walk);
    stopOutside(walk, rank);
  }
  return toNumber({ numerator: walk.missed, denominator: walk.total });
}

/** All equally likely sequences of t signs, in counts of 2^t. */
interface Walk {
  /** [k]: sequences with k positive signs that the interval has covered so far. */
  covered: bigint[];
  missed: bigint;
  total: bigint;
}

function startWalk(): Walk {
  return { covered: [1n], missed: 0n, total: 1n };
}

function step(walk: Walk): void {
  const before = walk.covered;
  walk.covered = Array.from(
    { length: before.length + 1 },
    (_, k) => (before[k] ?? 0n) + (before[k - 1] ?? 0n),
  );
  walk.missed *= 2n;
  walk.total *= 2n;
}

/** An interval [d(l), d(t+1-l)] misses theta when fewer than l signs are positive, or negative. */
function isMissed(positive: number, rounds: number, rank: number): boolean {
  return positive < rank || rounds - positive < rank;
}

function missedWith({ covered, missed, total }: Walk, rank: number): Fraction {
  const rounds = covered.length - 1;
  const now = covered.reduce(
    (sum, count, k) => (isMissed(k, rounds, rank) ? sum + count : sum),
    0n,
  );
  return { numerator: missed + now, denominator: total };
}

function stopOutside(walk: Walk, rank: number): void {
  const rounds = walk.covered.length - 1;
  walk.missed = missedWith(walk, rank).numerator;
  walk.covered = walk.covered.map((count, k) => (isMissed(k, rounds, rank) ? 0n : count));
}

/**
 * Share of alpha that S2 may have spent by round t: with t0 the smallest round at which
 * 2^(1-t0) <= alpha, nothing before it, 2^(1-t0) in it, and from there linearly to alpha in the last
 * round N: 2^(1-t0) + (alpha - 2^(1-t0)) (t - t0)/(N - t0). When N = t0 only 2^(1-t0) is spent.
 */
export function spentAlpha(round: number, alpha: number, maximum: number): number {
  return toNumber(spentExactly(round, alpha, maximum));
}

function spentExactly(round: number, alpha: number, maximum: number): Fraction {
  const { numerator, denominator } = fractionOfDecimal(alpha);
  let first = 1;
  while (denominator << 1n > numerator << BigInt(first)) first++;
  if (round < first) return { numerator: 0n, denominator: 1n };
  const power = 1n << BigInt(first - 1);
  if (maximum <= first) return { numerator: 1n, denominator: power };
  const passed = BigInt(Math.min(round, maximum) - first);
  const span = BigInt(maximum - first);
  return {
    numerator: denominator * span + (numerator * power - denominator) * passed,
    denominator: denominator * power * span,
  };
}

/**
 * e-BH: how many of the largest of m e-values are rejected at the false discovery rate alpha, under
 * any dependence: the largest k with E_(k) >= m/(alpha k) (Wang & Ramdas 2022,
 * doi:10.1111/rssb.12489).
 */
export function countDiscoveries(eValues: readonly number[], alpha: number): number {
  const descending = [...eValues].sort((a, b) => b - a);
  const needed = eValues.length / alpha;
  return descending.findLastIndex((value, index) => value * (index + 1) >= needed) + 1;
}

export interface SequentialEvidence {
  /** Pairs so far. */
  pairs: number;
  /** Ranks of the ends, from 1; null when no interval exists yet. */
  ranks: [number, number] | null;
  /** The current interval of the difference, and the running intersection of all so far. */
  current: { lower: number; upper: number } | null;
  running: { lower: number; upper: number } | null;
}

/**
 * Evidence after each of the pairs; the last is the present one. Ties are conservative. Pairs beyond
 * the planned ranks add no evidence: no current interval, the running one stays. A running
 * intersection that has become empty (no value was covered all the time: probability at most alpha,
 * or a difference that moved) is null while the current interval is not.
 * @param differences in the order of the rounds
 * @param ranks of `sequentialRanks`, fixed before the first pair
 */
export function followSequence(
  differences: readonly number[],
  ranks: readonly number[],
): SequentialEvidence[] {
  const sorted: number[] = [];
  let lowest = Number.NEGATIVE_INFINITY;
  let highest = Number.POSITIVE_INFINITY;
  return differences.map((difference, index) => {
    const place = sorted.findIndex((other) => other > difference);
    sorted.splice(place === -1 ? index : place, 0, difference);
    const pairs = index + 1;
    const rank = ranks[index] ?? 0;
    const current = rank === 0 ? null : { lower: sorted[rank - 1]!, upper: sorted[pairs - rank]! };
    if (current !== null) {
      lowest = Math.max(lowest, current.lower);
      highest = Math.min(highest, current.upper);
    }
    const hasRunning = Number.isFinite(lowest) && lowest <= highest;
    return {
      pairs,
      ranks: rank === 0 ? null : [rank, pairs + 1 - rank],
      current,
      running: hasRunning ? { lower: lowest, upper: highest } : null,
    };
  });
}
