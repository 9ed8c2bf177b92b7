import { doubledMidranks, roundingOf } from './ranks.ts';
import { signFlipTail } from './sign-flips.ts';
import { isWithinLevel, type TailProbability, tailValue } from './tail-probability.ts';

export interface RandomisationTest {
  /** S = sum of rank(b_r) - rank(a_r) over the pooled midranks. */
  statistic: number;
  rankDifferences: number[];
  /** Share of the 2^n sign flips with |S*| >= |S|. */
  pValue: number;
  method: 'exact' | 'normal';
}

/**
 * Decision (g): the 2n log times are ranked together (midranks), D_r = rank(b_r) - rank(a_r),
 * S = sum of D_r; p = share of the 2^n sign flips of the D_r with |S*| >= |S|. Exact for any
 * distribution, drift or heavy tail when the order inside each round was drawn at random, because
 * then exchanging a and b in any round is as likely as not when they do not differ (Fisher 1935; rank
 * scores as in Hodges & Lehmann 1962, doi:10.1214/aoms/1177704575). Exact up to n = 60, beyond it
 * normal with ties and continuity correction. Fewer than 6 pairs cannot reach 0.05; p = 1 for none.
 * @param a @param b log times paired by round, less the round's effect where it is known
 * @throws RangeError when they are not paired
 */
export function randomisationTest(a: readonly number[], b: readonly number[]): RandomisationTest {
  requirePairs(a, b);
  const ranks = doubledMidranks([...a, ...b], roundingOf([...a, ...b]));
  const doubled = a.map((_, round) => ranks[a.length + round]! - ranks[round]!);
  const tail = flipTail(doubled);
  return {
    statistic: sum(doubled) / 2,
    rankDifferences: doubled.map((difference) => difference / 2),
    pValue: tailValue(tail),
    method: tail.method,
  };
}

/** The closure of the shifts that are kept, and whether an end itself is not one of them. */
export interface RandomisationInterval {
  lower: number;
  upper: number;
  isLowerOpen: boolean;
  isUpperOpen: boolean;
}

/**
 * The test turned into an interval of b - a: the closure of all shifts with
 * p(a, b - shift) > 1 - level. p changes only at the n^2 pairwise differences b_i - a_j, where values
 * tie, and is constant between neighbours; both are looked at, from either end to the first that is
 * kept, so that nothing is taken for granted of p in between. At an end two
 * values tie, and that shift can be rejected while those next to it are kept: such an end is open.
 * Assumes that b differs from a by one shift.
 * @returns null when no shift could be excluded: 2^(1-n) > 1 - level, which is n < 6 at 0.95
 * @throws RangeError when they are not paired
 */
export function randomisationInterval(
  a: readonly number[],
  b: readonly number[],
  level: number,
): RandomisationInterval | null {
  requirePairs(a, b);
  const smallest: TailProbability = {
    method: 'exact',
    share: { numerator: 2n, denominator: 1n << BigInt(a.length) },
  };
  if (!isWithinLevel(smallest, level)) return null;
  const lower = findLowestKept(a, b, level);
  const upper = findLowestKept(b, a, level);
  if (lower === null || upper === null) return null;
  return {
    lower: lower.shift,
    upper: 0 - upper.shift,
    isLowerOpen: lower.isOpen,
    isUpperOpen: upper.isOpen,
  };
}

/**
 * The lower end of the shifts b - a that are kept. A shift that grows past b_i - a_j takes b_i past
 * a_j: half a rank down for the one and up for the other where they tie, and the same again beyond.
 */
function findLowestKept(
  a: readonly number[],
  b: readonly number[],
  level: number,
): { shift: number; isOpen: boolean } | null {
  const tolerance = roundingOf([...a, ...b]);
  const pairs = b
    .flatMap((second, i) => a.map((first, j) => ({ shift: second - first, i, j })))
    .sort((one, other) => one.shift - other.shift);
  // Below all shifts every b is above every a, and the n ranks of each are its own.
  const ranksOfA = doubledMidranks(a, tolerance);
  const ranksOfB = doubledMidranks(b, tolerance);
  const doubled = ranksOfB.map((rank, round) => rank + 2 * a.length - ranksOfA[round]!);
  for (let start = 0, end = 0; start < pairs.length; start = end) {
    const { shift } = pairs[start]!;
    end = start + 1;
    while (end < pairs.length && pairs[end]!.shift - shift <= tolerance) end++;
    for (const isOpen of [false, true]) {
      for (let at = start; at < end; at++) {
        doubled[pairs[at]!.i]! -= 1;
        doubled[pairs[at]!.j]! -= 1;
      }
      // shifts that differ from 0 by rounding alone are 0
      if (isKept(doubled, level))
        return { shift: Math.abs(shift) <= tolerance ? 0 : shift, isOpen };
    }
  }
  return null;
}

function isKept(doubled: readonly number[], level: number): boolean {
  const alpha = 1 - level;
  return !isFarBelow(doubled, alpha) && !isWithinLevel(flipTail(doubled), level);
}

/**
 * Whether p is below alpha for certain, without counting, by half at least:
 * p <= 2 exp(-S^2 / (2 sum of D^2)) (Hoeffding 1963, doi:10.1080/01621459.1963.10500830).
 */
function isFarBelow(doubled: readonly number[], alpha: number): boolean {
  let squares = 0;
  for (const difference of doubled) squares += difference * difference;
  return squares > 0 && 2 * Math.exp(-(sum(doubled) ** 2) / (2 * squares)) < alpha / 2;
}

function requirePairs(a: readonly number[], b: readonly number[]): void {
  if (a.length !== b.length) throw new RangeError(`${a.length} and ${b.length} are not pairs`);
}

function flipTail(doubled: readonly number[]): TailProbability {
  return signFlipTail(doubled.map(Math.abs), sum(doubled));
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
