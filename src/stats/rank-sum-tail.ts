import { largestExactCount, normalTail, type TailProbability } from './tail-probability.ts';
import { binomialCoefficient } from './u-counts.ts';

/**
 * Two-sided tail of a sum of ranks when every choice of `size` of the ranks is equally likely: the
 * share of the C(N, size) choices whose sum lies at least as far from the mean as the observed.
 * Conditional on the ties, which are in the ranks.
 *
 * Exact while both groups have at most 60: subsets of the lower and of the upper half of the ranks
 * are counted by size and sum, then joined in the tails. Beyond it normal, with variance
 * size (N - size) / (N - 1) times the variance of the ranks, and a continuity correction of half a
 * rank.
 * @param doubledRanks twice the midranks
 */
export function rankSumTail(
  doubledRanks: readonly number[],
  size: number,
  observed: number,
): TailProbability {
  const count = doubledRanks.length;
  const total = doubledRanks.reduce((sum, rank) => sum + rank, 0);
  if (Math.max(size, count - size) > largestExactCount) {
    const squares = doubledRanks.reduce((sum, rank) => sum + (rank - total / count) ** 2, 0);
    const variance = (squares * size * (count - size)) / (count * (count - 1));
    return normalTail(Math.abs(observed - (total * size) / count), Math.sqrt(variance), 1);
  }
  const all = binomialCoefficient(count, size);
  // |sum - total size / count| >= distance, multiplied by the count to stay in integers.
  const distance = Math.abs(observed * count - total * size);
  if (distance === 0) return { method: 'exact', share: { numerator: 1n, denominator: 1n } };
  const highest = Math.floor((total * size - distance) / count);
  const lowest = Math.ceil((total * size + distance) / count);
  const ascending = [...doubledRanks].sort((a, b) => a - b);
  const half = Math.floor(count / 2);
  const below = countSubsets(ascending.slice(0, half), size);
  const above = countSubsets(ascending.slice(half), size);
  let tails = 0n;
  for (let taken = 0; taken <= Math.min(size, half); taken++) {
    if (size - taken > count - half) continue;
    tails += joinTails(below, above, taken, size - taken, highest, lowest);
  }
  return { method: 'exact', share: { numerator: tails, denominator: all } };
}

/** Subsets of one half of the ranks, by size and by sum. */
interface SubsetCounts {
  /** Subtracted from every rank, and `step` divided out, to keep the sums short. */
  base: number;
  step: number;
  /** [size][sum], as doubles: exact below 2^53. */
  approximate: Float64Array[];
  /** The same modulo 2^32, where additions wrap around and stay exact. */
  low: Uint32Array[];
}

function countSubsets(ranks: readonly number[], largestSize: number): SubsetCounts {
  const base = ranks[0] ?? 0;
  const step = ranks.every((rank) => (rank - base) % 2 === 0) ? 2 : 1;
  const scaled = ranks.map((rank) => (rank - base) / step);
  const length = scaled.reduce((sum, rank) => sum + rank, 0) + 1;
  const sizes = Math.min(largestSize, ranks.length);
  const approximate = Array.from({ length: sizes + 1 }, () => new Float64Array(length));
  const low = Array.from({ length: sizes + 1 }, () => new Uint32Array(length));
  approximate[0]![0] = 1;
  low[0]![0] = 1;
  let reached = 0;
  scaled.forEach((rank, index) => {
    for (let size = Math.min(index + 1, sizes); size > 0; size--) {
      const [to, from] = [approximate[size]!, approximate[size - 1]!];
      const [toLow, fromLow] = [low[size]!, low[size - 1]!];
      for (let sum = 0; sum <= reached; sum++) {
        to[sum + rank]! += from[sum]!;
        toLow[sum + rank]! += fromLow[sum]!;
      }
    }
    reached += rank;
  });
  return { base, step, approximate, low };
}

/** Choices of `fromBelow` and `fromAbove` ranks that sum to at most `highest` or at least `lowest`. */
function joinTails(
  below: SubsetCounts,
  above: SubsetCounts,
  fromBelow: number,
  fromAbove: number,
  highest: number,
  lowest: number,
): bigint {
  const counts = exactCounts(below, fromBelow);
  const cumulative = exactCounts(above, fromAbove);
  for (let sum = 1; sum < cumulative.length; sum++) cumulative[sum]! += cumulative[sum - 1]!;
  const last = cumulative.length - 1;
  const upTo = (sum: number) => (sum < 0 ? 0n : cumulative[Math.min(sum, last)]!);
  const offset = fromBelow * below.base + fromAbove * above.base;
  let tails = 0n;
  counts.forEach((count, index) => {
    if (count === 0n) return;
    const sum = offset + index * below.step;
    const low = upTo(Math.floor((highest - sum) / above.step));
    const high = cumulative[last]! - upTo(Math.ceil((lowest - sum) / above.step) - 1);
    tails += count * (low + high);
  });
  return tails;
}

/**
 * Counts of 60 ranks reach C(60,30), 13 times what a double holds exactly. Its rounding is far below
 * 2^31, so that the low 32 bits, which are exact, give the whole count back.
 */
function exactCounts({ approximate, low }: SubsetCounts, size: number): bigint[] {
  const modulus = 2 ** 32;
  return Array.from(approximate[size]!, (count, sum) => {
    const remainder = low[size]![sum]!;
    const high = Math.round((count - remainder) / modulus);
    return BigInt(high) * BigInt(modulus) + BigInt(remainder);
  });
}
