import type { ItemAnalysis } from '../formats/analysis.ts';
import type { Item } from '../formats/architecture.ts';
import type { Protocol } from '../formats/protocol.ts';
import { type Fraction, formatFraction, toNumber } from '../stats/fraction.ts';
import { median } from '../stats/median.ts';
import { fewestForInterval, medianInterval } from '../stats/median-interval.ts';
import { isStable } from '../stats/stability.ts';
import { describeTail, slowThreshold } from '../stats/tail.ts';
import { coefficientOfVariation, relativeRange } from '../stats/variation.ts';

/** Coverage that intervals are asked for; the actual one is at least this and is what is printed. */
export const wantedCoverage = 0.95;

const nanosecondsPerSecond = 1e9;

/**
 * Everything about one item. Medians, intervals, ranges and flags are exact on
 * whole ns and rounded once; rates and CVs are floating point, good to the last digit but one.
 * @param trials kept repetitions of each valid trial, in ns
 */
export function analyzeItem(
  item: Item,
  place: { isReference: boolean; partOfSpace: boolean },
  trials: readonly (readonly bigint[])[],
  failed: number,
  protocol: Protocol,
): ItemAnalysis {
  const n = trials.length;
  const keptCount = BigInt(protocol.repetitions.kept);
  const sums = trials.map((kept) => kept.reduce((sum, ns) => sum + ns, 0n));
  const meanNs = ({ numerator, denominator }: Fraction) =>
    toNumber({ numerator, denominator: denominator * keptCount });

  const middle = median(sums);
  const representativeNs = middle && meanNs(middle);
  const tokens = item.phase === 'prefill' ? item.sequenceLength : protocol.decodeSteps;
  const interval = medianInterval(sums, wantedCoverage);
  const range = relativeRange(sums);
  const tail = describeTail(sums);
  const inTrialCvs = trials.map((kept) => coefficientOfVariation(kept)?.value ?? null);
  const inTrialCvMax = inTrialCvs.reduce<number | null>(
    (largest, cv) => (cv === null ? largest : Math.max(largest ?? 0, cv)),
    null,
  );

  const result = {
    representativeNs,
    tokensPerSecond: representativeNs && (tokens * nanosecondsPerSecond) / representativeNs,
    interval: interval && {
      lowerNs: meanNs({ numerator: interval.lower, denominator: 1n }),
      upperNs: meanNs({ numerator: interval.upper, denominator: 1n }),
      coverage: toNumber(interval.coverage),
      coverageFraction: formatFraction(interval.coverage),
      ranks: interval.ranks,
    },
    cv: coefficientOfVariation(sums),
    inTrialCvMax,
    relativeRange: range && toNumber(range),
    stable: isStable(trials, protocol.flags.stable),
    tail: tail && {
      maxOverMedian: toNumber(tail.maxOverMedian),
      slowCount: tail.slowCount,
      threshold: slowThreshold,
    },
  };
  const { architecture, quantization, sequenceLength, phase } = item;
  const missing = Object.entries(result)
    .filter(([, value]) => value === null)
    .map(([field]) => ({ field, reason: whyMissing(field, n, protocol.repetitions.kept) }));
  return {
    ...{ architecture, quantization, sequenceLength, phase, ...place, n, failed },
    ...result,
    missing,
  };
}

function whyMissing(field: string, n: number, kept: number): string {
  if (n === 0) return 'no valid trial';
  if (field === 'interval') {
    const needed = fewestForInterval(wantedCoverage);
    return `n = ${n}: an interval that covers at least ${wantedCoverage} needs ${needed} trials`;
  }
  if (n === 1 && field !== 'inTrialCvMax') return 'n = 1: one trial does not vary';
  return `${kept} kept repetition: one repetition does not vary`;
}
