import { type Fraction, fractionOfDecimal } from './fraction.ts';
import { fewestForInterval, type MedianInterval, medianInterval } from './median-interval.ts';

/** 1 - (1 - jointLevel) / familySize, exactly. */
function levelOfOne(familySize: number, jointLevel: number): Fraction {
  if (!Number.isInteger(familySize) || familySize < 1) {
    throw new RangeError(`a family has at least one item, not ${familySize}`);
  }
  const { numerator, denominator } = fractionOfDecimal(jointLevel);
  const shared = denominator * BigInt(familySize);
  return { numerator: shared - (denominator - numerator), denominator: shared };
}

/**
 * The order-statistic interval of one item's median, wide enough that the intervals of all items of
 * its family hold at once with probability `jointLevel` under any dependence between the items:
 * level 1 - (1 - jointLevel) / familySize each (Bonferroni; Dunn 1961,
 * doi:10.1080/01621459.1961.10482090). The level is compared exactly. null when the n values cannot
 * reach it: 10 serve at most 25 items at 0.95.
 * @param familySize items that are looked at together, this one included
 */
export function simultaneousInterval(
  values: readonly bigint[],
  familySize: number,
  jointLevel: number,
): MedianInterval | null {
  return medianInterval(values, levelOfOne(familySize, jointLevel));
}

/**
 * What a family of intervals covers jointly at least, under any dependence: 1 - sum (1 - coverage)
 * (Bonferroni), 0 where that is negative and says nothing. 1 for no interval.
 */
export function jointCoverage(coverages: readonly Fraction[]): Fraction {
  // Coverages are over powers of two: the largest serves all and the numbers stay small.
  const shared = coverages.reduce((common, { denominator }) => {
    if (common % denominator === 0n) return common;
    return denominator % common === 0n ? denominator : common * denominator;
  }, 1n);
  const missed = coverages.reduce(
    (sum, { numerator, denominator }) => sum + (denominator - numerator) * (shared / denominator),
    0n,
  );
  return { numerator: missed < shared ? shared - missed : 0n, denominator: shared };
}

/** Fewest trials an item for which a simultaneous interval exists: 10 for 24 items at 0.95. */
export function fewestForSimultaneousInterval(familySize: number, jointLevel: number): number {
  return fewestForInterval(levelOfOne(familySize, jointLevel));
}

/**
 * The most items that n trials each can serve, from minimum to maximum each: the largest m with
 * m 2 / 2^n <= 1 - jointLevel. 25 for n = 10 at 0.95; 0 for n <= 5; at most 2^53 - 1.
 */
export function mostItemsForSimultaneousInterval(n: number, jointLevel: number): number {
  const { numerator, denominator } = fractionOfDecimal(jointLevel);
  const most = ((denominator - numerator) << BigInt(n)) / (2n * denominator);
  return Number(most < Number.MAX_SAFE_INTEGER ? most : Number.MAX_SAFE_INTEGER);
}
