/** Arithmetic mean of at least one number. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Sum of the squared distances from the mean, taken after it is known: no cancellation. */
export function squaredDeviations(values: readonly number[]): number {
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
}
