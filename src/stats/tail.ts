import { compareFractions, type Fraction, fractionOfDecimal } from './fraction.ts';
import { median, sortAscending } from './median.ts';

/** A trial is slow above this multiple of the item's median: the size of v1's stable flag. */
export const slowThreshold = 1.05;

export interface Tail {
  maxOverMedian: Fraction;
  /** Values strictly above `slowThreshold` times the median, compared exactly. */
  slowCount: number;
}

/** How far the largest of positive integers lies from their median; null of nothing. */
export function describeTail(values: readonly bigint[]): Tail | null {
  const middle = median(values);
  if (middle === null) return null;
  const overMedian = (value: bigint): Fraction => ({
    numerator: value * middle.denominator,
    denominator: middle.numerator,
  });
  const threshold = fractionOfDecimal(slowThreshold);
  const isSlow = (value: bigint) => compareFractions(overMedian(value), threshold) > 0;
  return {
    maxOverMedian: overMedian(sortAscending(values).at(-1)!),
    slowCount: values.filter(isSlow).length,
  };
}
