import { itemOf } from '../formats/architecture.ts';
import type { ItemAnalysis } from '../formats/item-analysis.ts';
import { toNumber } from '../stats/fraction.ts';
import { detectionRate } from '../stats/injection.ts';
import { proportionBounds, quantileBoundedByMaximum } from '../stats/proportion.ts';
import { isStable } from '../stats/stability.ts';
import { describeTail, slowThreshold } from '../stats/tail.ts';
import { findTwoSpeeds } from '../stats/two-speeds.ts';
import { coefficientOfVariation, relativeRange } from '../stats/variation.ts';
import { explainMissing } from './explain-missing.ts';
import type { IntervalFamily, ItemInterval } from './item-intervals.ts';
import { type ItemSample, toNanoseconds } from './item-sample.ts';
import type { Measurements } from './measurements.ts';

/** Coverage that intervals are asked for; the actual one is at least this and is what is printed. */
export const wantedCoverage = 0.95;

const nanosecondsPerSecond = 1e9;

/**
 * Everything about one item. Medians, intervals, ranges, distances and flags are exact on sums of
 * whole ns and rounded once; rates and CVs are floating point, good to the last digit but one.
 * @param targetDifference what is put into the trials by the injection
 */
export function analyzeItem(
  sample: ItemSample,
  family: IntervalFamily,
  trend: ItemAnalysis['trend'],
  targetDifference: number,
  measurements: Measurements,
): ItemAnalysis {
  const { item, isReference, partOfSpace, observed, failed, sorted, median, index } = sample;
  const { unitsPerNs, decodeSteps, rules } = measurements;
  const { interval, simultaneous, endpointDistance, upperOverLower } = family.intervals[index]!;
  const representativeNs = median && toNanoseconds(median, unitsPerNs);
  const tokens = item.phase === 'prefill' ? item.sequenceLength : (item.decodeSteps ?? decodeSteps);
  const range = relativeRange(sorted);
  const twoSpeed = findSpeeds(sorted, unitsPerNs);
  const result = {
    representativeNs,
    tokensPerSecond:
      representativeNs && tokens && (tokens * nanosecondsPerSecond) / representativeNs,
    interval: interval && describeInterval(interval, unitsPerNs),
    simultaneousInterval: simultaneous && {
      ...describeInterval(simultaneous, unitsPerNs),
      jointCoverage: family.joint!.coverage,
      jointCoverageFraction: family.joint!.coverageFraction,
      familySize: family.familySize,
      upperOverLower: toNumber(upperOverLower!),
    },
    endpointDistance: endpointDistance && toNumber(endpointDistance),
    cv: coefficientOfVariation(sorted),
    inTrialCvMax: largestInTrialCv(sample),
    relativeRange: range && toNumber(range),
    stable: isStable(observed, rules.stable.maxRelativeRange),
    tail: analyzeTail(sorted, twoSpeed),
    injection: injectDifferences(sorted, targetDifference),
    trend,
    twoSpeed,
  };
  const place = { isReference, partOfSpace };
  return {
    ...{ ...itemOf(item), ...place, n: sorted.length, failed },
    ...result,
    missing: explainMissing(result, sample, family.familySize, measurements),
  };
}

function describeInterval(interval: ItemInterval, unitsPerNs: bigint) {
  return {
    lowerNs: toNanoseconds({ numerator: interval.lower, denominator: 1n }, unitsPerNs),
    upperNs: toNanoseconds({ numerator: interval.upper, denominator: 1n }, unitsPerNs),
    coverage: interval.coverageNumber,
    coverageFraction: interval.coverageFraction,
    ranks: interval.ranks,
  };
}

/** null when one trial's is not known: the largest could be that one. */
function largestInTrialCv({ observed }: ItemSample): number | null {
  let largest: number | null = null;
  for (const { inTrialCv } of observed) {
    if (inTrialCv === null) return null;
    largest = Math.max(largest ?? 0, inTrialCv);
  }
  return largest;
}

/** With two speeds a threshold from their median is between them or at one: the share has no bounds. */
function analyzeTail(
  sorted: readonly bigint[],
  twoSpeed: ItemAnalysis['twoSpeed'],
): ItemAnalysis['tail'] {
  const tail = describeTail(sorted);
  if (tail === null) return null;
  const bounds = twoSpeed?.isTwoSpeed
    ? null
    : proportionBounds(tail.slowCount, sorted.length, wantedCoverage);
  return {
    maxOverMedian: toNumber(tail.maxOverMedian),
    slowCount: tail.slowCount,
    threshold: slowThreshold,
    slowLowerBound: bounds?.lower ?? null,
    slowUpperBound: bounds?.upper ?? null,
    boundedQuantile: quantileBoundedByMaximum(sorted.length, wantedCoverage),
  };
}

/** Nothing, the target in both directions, and half of it: zero stands beside the others. */
function injectDifferences(sorted: readonly bigint[], target: number): ItemAnalysis['injection'] {
  const rates = [0, target, -target, target / 2].map((change) => ({
    change,
    rate: detectionRate(sorted, change, wantedCoverage),
  }));
  const known = rates.flatMap(({ change, rate }) => (rate === null ? [] : [{ change, rate }]));
  return known.length === 0 ? null : known;
}

function findSpeeds(sorted: readonly bigint[], unitsPerNs: bigint): ItemAnalysis['twoSpeed'] {
  const found = findTwoSpeeds(sorted.map(Number));
  if (found === null) return null;
  const { isTwoSpeed, fastCount, slowCount, fastMedian, slowMedian, relativeGap } = found;
  return {
    ...{ isTwoSpeed, fastCount, slowCount, relativeGap },
    fastNs: fastMedian / Number(unitsPerNs),
    slowNs: slowMedian / Number(unitsPerNs),
  };
}
