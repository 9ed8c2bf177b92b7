import { largestExactCount, normalTail, type TailProbability } from './tail-probability.ts';

/** Products of counts below this many signs are whole doubles. */
const exactDoubleBits = 53;

/**
 * Two-sided tail of S* = sum of +-w_r when each of the 2^n choices of signs is equally likely:
 * the share with |S*| >= |observed|. This is the null distribution of every test that flips signs.
 *
 * Exact up to 60 weights: with T the sum of the weights that are flipped to plus, S* = 2T - sum w, so
 * it counts subset sums. Each half of the weights is counted on its own, where counts stay below
 * 2^30, and the halves are put together only for the tail. Beyond 60: normal with variance
 * sum of w^2 (ties are in the weights) and a continuity correction of half a step: S* lies on a
 * lattice whose step is twice the greatest common divisor of the weights.
 * @param weights non-negative integers; doubled ranks or differences of doubled ranks
 * @param observed |observed| at most the sum of the weights, and of its parity
 */
export function signFlipTail(weights: readonly number[], observed: number): TailProbability {
  const present = weights.filter((weight) => weight > 0);
  const distance = Math.abs(observed);
  if (present.length > largestExactCount) {
    const squares = present.reduce((sum, weight) => sum + weight * weight, 0);
    return normalTail(distance, Math.sqrt(squares), present.reduce(commonDivisor));
  }
  const total = present.reduce((sum, weight) => sum + weight, 0);
  const denominator = 1n << BigInt(present.length);
  if (distance === 0) return { method: 'exact', share: { numerator: 1n, denominator: 1n } };
  const numerator = 2n * countSubsets(present, (total + distance) / 2);
  return { method: 'exact', share: { numerator, denominator } };
}

/** Greatest common divisor of two positive integers (Euclid). */
function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** How many subsets of the weights sum to at least `threshold`. */
function countSubsets(weights: readonly number[], threshold: number): bigint {
  const divisor = weights.every((weight) => weight % 2 === 0) ? 2 : 1;
  const scaled = weights.map((weight) => weight / divisor);
  const needed = Math.ceil(threshold / divisor);
  const half = Math.floor(scaled.length / 2);
  const lower = subsetCounts(scaled.slice(0, half));
  const upper = subsetCounts(scaled.slice(half));
  // From here upper[s] is the number of subsets of the second half that sum to at least s.
  for (let sum = upper.length - 2; sum >= 0; sum--) upper[sum]! += upper[sum + 1]!;
  const isSmall = weights.length <= exactDoubleBits;
  let small = 0;
  let large = 0n;
  for (let sum = Math.max(0, needed - upper.length + 1); sum < lower.length; sum++) {
    const count = lower[sum]!;
    if (count === 0) continue;
    const above = upper[Math.max(0, needed - sum)]!;
    if (isSmall) small += count * above;
    else large += BigInt(count) * BigInt(above);
  }
  return isSmall ? BigInt(small) : large;
}

/** counts[s]: subsets that sum to s. At most 30 weights, so every count is below 2^31. */
function subsetCounts(weights: readonly number[]): Float64Array {
  const counts = new Float64Array(weights.reduce((sum, weight) => sum + weight, 0) + 1);
  counts[0] = 1;
  let reached = 0;
  for (const weight of weights) {
    reached += weight;
    for (let sum = reached; sum >= weight; sum--) counts[sum]! += counts[sum - weight]!;
  }
  return counts;
}
