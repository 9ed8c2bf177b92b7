/** A new array in ascending order. */
export function sortNumbers(values: readonly number[]): number[] {
  return Array.from(new Float64Array(values).sort());
}

/** The middle of values already in ascending order, or the mean of the middle two; null of none. */
export function medianOfSorted(sorted: ArrayLike<number>): number | null {
  const half = Math.floor(sorted.length / 2);
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/**
 * The median of numbers that are rounded anyway, such as logarithms; times in whole nanoseconds have
 * an exact one in median.ts.
 */
export function medianOfNumbers(values: readonly number[]): number | null {
  return medianOfSorted(new Float64Array(values).sort());
}
