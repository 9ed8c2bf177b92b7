import type { SampleAnalysis, TrialAnalysis } from '../formats/analysis.ts';
import type { RepetitionCounts } from '../stats/trial-sample.ts';
import { adviseAllocation } from './allocation.ts';
import { assessClosure } from './closure.ts';
import { analyzeDrift } from './drift.ts';
import { analyzeItem } from './item.ts';
import { findIntervals } from './item-intervals.ts';
import { type ItemSample, sampleItems, toNanoseconds } from './item-sample.ts';
import type { MeasuredTrial, Measurements } from './measurements.ts';
import { analyzeOrderEffect } from './order-effect.ts';
import { analyzeRoundSubsets } from './round-subsets.ts';
import { chooseTarget } from './target.ts';
import { correlateWithPlace } from './trend.ts';
import { describeWarmup } from './warmup.ts';

/** What is said of samples, wherever they come from. */
export type AnalyzedSamples = Pick<
  SampleAnalysis,
  | 'format'
  | 'formatVersion'
  | 'name'
  | 'progress'
  | 'rules'
  | 'items'
  | 'drift'
  | 'roundSubsets'
  | 'orderEffect'
  | 'closure'
  | 'trials'
  | 'warmup'
  | 'allocation'
>;

/** Everything that trials say by themselves, from a ledger as from a public table. */
export function analyzeSamples(measurements: Measurements): AnalyzedSamples {
  const { name, rules, phases, unitsPerNs, repetitions } = measurements;
  const samples = sampleItems(measurements);
  const target = chooseTarget(measurements);
  const family = findIntervals(samples);
  const trends = correlateWithPlace(samples);
  const items = samples.map((sample, index) =>
    analyzeItem(sample, family, trends[index]!, target.difference, measurements),
  );
  const drift = analyzeDrift(samples, measurements);
  return {
    format: 'rooflaw-analysis',
    formatVersion: 1,
    name,
    progress: countProgress(measurements),
    rules,
    items,
    drift,
    roundSubsets: analyzeRoundSubsets(samples, rules.stable.maxRelativeRange),
    orderEffect: analyzeOrderEffect(samples, phases, unitsPerNs),
    closure: assessClosure(samples, family, items, target, { drift, ...measurements }),
    trials: measurements.trials.map((trial) => describeTrial(trial, unitsPerNs)),
    ...(repetitions !== null && holdsRepetitions(measurements)
      ? describeRepetitions(samples, repetitions)
      : { warmup: [], allocation: [] }),
  };
}

/** Whether there is more to see than trial means; also where no trial has been observed yet. */
export function holdsRepetitions({ trials }: Measurements): boolean {
  const observed = trials.filter(({ sum }) => sum !== null);
  return observed.length === 0 || observed.some(({ wallNs }) => wallNs !== null);
}

function describeRepetitions(
  samples: readonly ItemSample[],
  repetitions: RepetitionCounts,
): Pick<AnalyzedSamples, 'warmup' | 'allocation'> {
  return {
    warmup: samples.map(({ index, observed }) => {
      const trials = observed.flatMap(({ wallNs }) => (wallNs === null ? [] : [wallNs]));
      return describeWarmup(index, trials, repetitions.warmup);
    }),
    allocation: samples.map((sample) => adviseAllocation(sample, repetitions)),
  };
}

function countProgress({ trials, planned }: Measurements): SampleAnalysis['progress'] {
  const states = { observed: 0, failed: 0, interrupted: 0, pending: 0 };
  for (const { state } of trials) states[state] += 1;
  if (planned === null) return { planned, ...states, notStarted: null, complete: null };
  const notStarted = planned - trials.length;
  return { planned, ...states, notStarted, complete: states.observed + states.failed === planned };
}

function describeTrial(measured: MeasuredTrial, unitsPerNs: bigint): TrialAnalysis {
  const { trial, item, round, position, session, attempts, state, inTrialCv, processNs } = measured;
  const { sum } = measured;
  const trialMeanNs =
    sum === null ? null : toNanoseconds({ numerator: sum, denominator: 1n }, unitsPerNs);
  const place = { trial, item, round, position, session, attempts, state };
  return { ...place, trialMeanNs, inTrialCv, processNs };
}
