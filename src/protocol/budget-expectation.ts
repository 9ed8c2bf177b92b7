import { expectedHalfWidth, varianceRatioRange } from '../stats/expected-interval.ts';
import type { ProcessVariance } from '../stats/pooled-variance.ts';
import { expectProcessNs, type PilotSummary } from './budget-pilot.ts';

/** Of every interval here: at least this share of campaigns covers the median. */
export const intervalLevel = 0.95;

/** The same for all items: one protocol. */
export interface BudgetCounts {
  processes: number;
  warmup: number;
  kept: number;
}

/** What a campaign with given counts should bring for one item. */
export interface ItemExpectation {
  /** Of all its processes, in whole ns. */
  expectedNs: number;
  /**
   * Expected half-width of the order-statistic interval of the median over the representative; null
   * when the pilot cannot say (one process) or there is no interval (fewer than 6 processes).
   */
  relativeHalfWidth: number | null;
  /** Where that half-width may truly lie, at 95 %, since the pilot's variance is an estimate. */
  relativeHalfWidthRange: [number, number] | null;
  limitedBy: 'between-processes' | 'within-processes' | 'not-known';
}

/**
 * Process means are taken for normal with the variance T2^2 + T1^2 / kept of the pilot. Where the pilot
 * has one steady repetition a process, the two cannot be told apart: all of the variance is then taken
 * to lie between processes, which more kept repetitions do not lessen. That errs on the wide side.
 *
 * Real processes have slow tails that a few do not show. With the first 3 processes and 10 repetitions of
 * results/h200-pilot-v1 as the pilot of its 24 items of 10 processes, half-widths came out 1.6 times
 * as expected in the median, and 18 of 24 in the range; of h200-pilot-v1-b 1.2 times and 21 of 24. The
 * time came out 1 and 3 % longer.
 */
export function expectItem(pilot: PilotSummary, counts: BudgetCounts): ItemExpectation {
  const { processes, warmup, kept } = counts;
  const { withinVariance, meansVariance, betweenComponent } = pilot.variance;
  const expectedNs = processes * expectProcessNs(pilot, warmup + kept);
  const scale = expectedHalfWidth(processes, intervalLevel);
  const within = (withinVariance ?? 0) / kept;
  const between = betweenComponent ?? meansVariance;
  const limitedBy = nameLimit(betweenComponent, within);
  if (scale === null || meansVariance === null || between === null) {
    return { expectedNs, relativeHalfWidth: null, relativeHalfWidthRange: null, limitedBy };
  }
  const [least, most] = findVarianceRange(pilot.variance, meansVariance, kept);
  return {
    expectedNs,
    relativeHalfWidth: scale * Math.sqrt(between + within),
    relativeHalfWidthRange: [scale * Math.sqrt(least), scale * Math.sqrt(most)],
    limitedBy,
  };
}

/**
 * Where the variance of a process mean of `kept` repetitions may truly lie. It is S2^2 + c S1^2 with
 * c = 1 / kept - 1 / n0, of mean squares with k - 1 and N - k degrees of freedom; the distances of each
 * one's chi-square limits from it are added as squares (modified large-sample limits of Graybill & Wang
 * 1980, and of Ting et al. 1990 where c is negative; Burdick & Graybill, Confidence Intervals on Variance
 * Components, 1992, 3.2 and 3.3). No less than T1^2 / kept at its own limits.
 */
function findVarianceRange(
  { processes, withinVariance, withinDegrees, meanRepetitions }: ProcessVariance,
  meansVariance: number,
  kept: number,
): [number, number] {
  const [leastMeans, mostMeans] = varianceRatioRange(processes - 1, intervalLevel);
  if (withinVariance === null) return [meansVariance * leastMeans, meansVariance * mostMeans];
  const [leastWithin, mostWithin] = varianceRatioRange(withinDegrees, intervalLevel);
  const share = (1 / kept - 1 / meanRepetitions) * withinVariance;
  const [shareDown, shareUp] = [share * (leastWithin - 1), share * (mostWithin - 1)];
  const [down, up] = share >= 0 ? [shareDown, shareUp] : [shareUp, shareDown];
  const variance = meansVariance + share;
  return [
    Math.max(
      (withinVariance * leastWithin) / kept,
      variance - Math.hypot(meansVariance * (1 - leastMeans), down),
    ),
    Math.max(
      (withinVariance * mostWithin) / kept,
      variance + Math.hypot(meansVariance * (mostMeans - 1), up),
    ),
  ];
}

function nameLimit(between: number | null, within: number): ItemExpectation['limitedBy'] {
  if (between === null || between + within === 0) return 'not-known';
  return between > within ? 'between-processes' : 'within-processes';
}
