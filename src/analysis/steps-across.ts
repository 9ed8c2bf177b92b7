import type { RatioAcross, TimeAcross } from '../formats/token-analysis.ts';
import { formatFraction, toNumber } from '../stats/fraction.ts';
import { fewestForInterval, lowerRankFor, medianCoverage } from '../stats/median-interval.ts';
import { medianOfSorted, sortNumbers } from '../stats/number-median.ts';
import { wantedCoverage } from './item.ts';

/**
 * Median over the processes of a time that each of them has, with its order-statistic interval.
 * @param valuesNs one for each process; null unless every process has one, and of no process
 */
export function timeAcross(valuesNs: readonly (number | null)[]): TimeAcross | null {
  const found = across(valuesNs);
  if (found === null) return null;
  const { median, ends, endpointDistance } = found;
  const interval = ends && { lowerNs: ends.lower, upperNs: ends.upper, ...ends.covers };
  return { medianNs: median, interval, endpointDistance };
}

/** The same of a ratio. */
export function ratioAcross(values: readonly (number | null)[]): RatioAcross | null {
  const found = across(values);
  if (found === null) return null;
  const { median, ends, endpointDistance } = found;
  const interval = ends && { lower: ends.lower, upper: ends.upper, ...ends.covers };
  return { median, interval, endpointDistance };
}

/** Why there is no interval over so many processes; null where there is one. */
export function explainNoInterval(n: number): string | null {
  const needed = fewestForInterval(wantedCoverage);
  if (n >= needed) return null;
  return `n = ${n}: an interval that covers at least ${wantedCoverage} needs ${needed} processes`;
}

function across(values: readonly (number | null)[]) {
  if (values.length === 0 || values.some((value) => value === null)) return null;
  const sorted = sortNumbers(values as readonly number[]);
  const n = sorted.length;
  const median = medianOfSorted(sorted)!;
  const rank = lowerRankFor(n, wantedCoverage);
  if (rank === 0) return { median, ends: null, endpointDistance: null };
  const [lower, upper] = [sorted[rank - 1]!, sorted[n - rank]!];
  const coverage = medianCoverage(n, rank);
  const covers = {
    coverage: toNumber(coverage),
    coverageFraction: formatFraction(coverage),
    ranks: [rank, n + 1 - rank] as [number, number],
  };
  const farthest = Math.max(median - lower, upper - median);
  return {
    median,
    ends: { lower, upper, covers },
    endpointDistance: median === 0 ? null : farthest / median,
  };
}
