import { type RandomSource, shuffled } from '../random.ts';
import { doubledMidranks } from './ranks.ts';
import { correlationTail } from './student-t.ts';

export interface RankCorrelation {
  rho: number;
  /** Two-sided. */
  pValue: number;
  method: 'exact' | 'permutation' | 'approximate';
  /** What the p-value would be for as strong a correlation as these ties allow; 0 when approximate. */
  smallestP: number;
}

/** Of a rank correlation. */
export const fewestPairs = 4;

/** 2^10 subsets, milliseconds of work for each pattern of ties; 2^20 would be minutes. */
const mostExactPairs = 10;

const mostPermutedPairs = 60;

/** Smallest p-value 1/10,001; standard error of a p-value of .05: .0022. */
const permutations = 10_000;

/**
 * Spearman's rho, the correlation of the midranks, and how often chance alone brings one as far from
 * 0 when every pairing of the two sides is equally likely: two-sided, |rho*| >= |rho| compared in
 * integers, conditional on the ties.
 * - To 10 pairs `exact`: over all n! pairings.
 * - To 60 `permutation`: p = (1 + count) / (1 + N) over N = 10,000 random pairings, a valid test for
 *   any N (Phipson & Smyth 2010, doi:10.2202/1544-6115.1585). What they give depends on n and the
 *   ties alone, so all items that are judged with one `random` share them. Two sides in perfect order
 *   without ties need no drawing: 2 of n! pairings are as far, `exact`.
 * - Beyond `approximate`: t = rho sqrt((n - 2) / (1 - rho^2)) with n - 2 degrees of freedom.
 * Assumes independent pairs: a trend that many items share is one observation of it, not many.
 * @param x @param y as many values each
 * @returns null for fewer than 4 pairs or a constant side
 */
export function rankCorrelation(
  x: readonly number[],
  y: readonly number[],
  random: RandomSource,
): RankCorrelation | null {
  const n = x.length;
  if (n !== y.length) throw new RangeError(`${n} values cannot be paired with ${y.length}`);
  if (n < fewestPairs) return null;
  const ranksX = centredRanks(x);
  const ranksY = centredRanks(y);
  const spreads = sumProducts(ranksX, ranksX) * sumProducts(ranksY, ranksY);
  if (spreads === 0) return null;
  const products = sumProducts(ranksX, ranksY);
  const rho = Math.max(-1, Math.min(1, products / Math.sqrt(spreads)));
  if (n > mostPermutedPairs) {
    return { rho, pValue: correlationTail(rho, n - 2), method: 'approximate', smallestP: 0 };
  }
  const isExact = n <= mostExactPairs;
  const pairings = isExact
    ? knownOr(allPairings, ranksX, ranksY, countPairings)
    : knownOr(pairingsOf(random), ranksX, ranksY, (a, b) => drawPairings(a, b, random));
  if (isExact) {
    const farthest = farthestOf(pairings);
    return {
      rho,
      pValue: shareAsFar(pairings, Math.abs(products), 0),
      method: 'exact',
      smallestP: shareAsFar(pairings, farthest, 0),
    };
  }
  const smallestP = 1 / (permutations + 1);
  if (Math.abs(products) === untiedSpread(n)) {
    return { rho, pValue: 2 / factorial(n), method: 'exact', smallestP };
  }
  const pValue = shareAsFar(pairings, Math.abs(products), 1);
  return { rho, pValue, method: 'permutation', smallestP };
}

/** Share of the pairings whose sum is at least this far from 0; the seen one counts as so many more. */
function shareAsFar({ sums, counts }: Pairings, distance: number, seen: number): number {
  let asFar = seen;
  let all = seen;
  for (let at = 0; at < sums.length; at++) {
    all += counts[at]!;
    if (Math.abs(sums[at]!) >= distance) asFar += counts[at]!;
  }
  return asFar / all;
}

function farthestOf({ sums, counts }: Pairings): number {
  return sums.reduce(
    (most, sum, at) => (counts[at]! > 0 ? Math.max(most, Math.abs(sum)) : most),
    0,
  );
}

/** Sum of the squares of n centred doubled ranks without ties. */
function untiedSpread(n: number): number {
  return (n ** 3 - n) / 3;
}

function factorial(n: number): number {
  return n <= 1 ? 1 : n * factorial(n - 1);
}

/** Twice the midranks less their mean n + 1: integers round 0. */
function centredRanks(values: readonly number[]): number[] {
  return doubledMidranks(values).map((doubled) => doubled - values.length - 1);
}

function sumProducts(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}

/** Sums of products of the ranks of two sides, and how many pairings have each. */
interface Pairings {
  sums: Int32Array;
  counts: Float64Array;
}

/** By pattern of ties; without ties there is one for each n. */
const allPairings = new Map<string, Pairings>();
const drawnPairings = new WeakMap<RandomSource, Map<string, Pairings>>();

function pairingsOf(random: RandomSource): Map<string, Pairings> {
  const known = drawnPairings.get(random) ?? new Map<string, Pairings>();
  drawnPairings.set(random, known);
  return known;
}

function knownOr(
  known: Map<string, Pairings>,
  ranksX: readonly number[],
  ranksY: readonly number[],
  find: (a: readonly number[], b: readonly number[]) => Pairings,
): Pairings {
  const [sortedX, sortedY] = [ranksX, ranksY].map((ranks) => [...ranks].sort((a, b) => a - b));
  const key = `${sortedX} ${sortedY}`;
  const pairings = known.get(key) ?? find(sortedX!, sortedY!);
  known.set(key, pairings);
  return pairings;
}

/** All n!: the first ranks of x take a subset of those of y, one more of them at each step. */
function countPairings(sortedX: readonly number[], sortedY: readonly number[]): Pairings {
  const n = sortedX.length;
  const ranksX = sortedX.map((rank) => rank + n); // positive: the least centred rank is 1 - n
  const ranksY = sortedY.map((rank) => rank + n);
  const width = sumProducts(ranksX, ranksY) + 1; // no pairing has a larger sum than the sorted one
  const counts = new Float64Array(width << n);
  counts[0] = 1;
  const everything = (1 << n) - 1;
  for (let taken = 0; taken < everything; taken++) {
    const rankX = ranksX[countBits(taken)]!;
    const from = taken * width;
    for (let at = 0; at < n; at++) {
      if (taken & (1 << at)) continue;
      const added = rankX * ranksY[at]!;
      const to = (taken | (1 << at)) * width + added;
      for (let sum = 0; sum < width - added; sum++) counts[to + sum]! += counts[from + sum]!;
    }
  }
  const shift = n ** 3; // n n^2: centred ranks sum to 0, so the n added to each side adds this to all
  return {
    sums: Int32Array.from({ length: width }, (_, sum) => sum - shift),
    counts: counts.slice(everything * width),
  };
}

function countBits(value: number): number {
  let count = 0;
  for (let rest = value; rest > 0; rest &= rest - 1) count++;
  return count;
}

function drawPairings(
  ranksX: readonly number[],
  ranksY: readonly number[],
  random: RandomSource,
): Pairings {
  const sums = Int32Array.from({ length: permutations }, () =>
    sumProducts(ranksX, shuffled(ranksY, random)),
  );
  return { sums, counts: new Float64Array(permutations).fill(1) };
}
