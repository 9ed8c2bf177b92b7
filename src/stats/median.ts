import type { Fraction } from './fraction.ts';

/** A new array in ascending order. */
export function sortAscending(values: readonly bigint[]): bigint[] {
  return [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** The middle value, or the mean of the middle two, exactly; null of nothing. */
export function median(values: readonly bigint[]): Fraction | null {
  if (values.length === 0) return null;
  const sorted = sortAscending(values);
  const upper = sorted[Math.floor(values.length / 2)]!;
  if (values.length % 2 === 1) return { numerator: upper, denominator: 1n };
  return { numerator: sorted[values.length / 2 - 1]! + upper, denominator: 2n };
}
