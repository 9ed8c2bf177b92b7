import type { ItemAllocation } from '../formats/analysis.ts';
import {
  type AllocationCosts,
  allocateRepetitions,
  planSamePrecision,
} from '../stats/allocation.ts';
import type { RepetitionCounts } from '../stats/trial-sample.ts';
import type { ItemSample, ObservedTrial } from './item-sample.ts';

type Known = Omit<ItemAllocation, 'item' | 'reason'>;

const nothing: Known = {
  repetitionCostNs: null,
  processCostNs: null,
  withinVariance: null,
  betweenComponent: null,
  optimalRepetitions: null,
  advice: null,
};

/**
 * How many repetitions and processes would estimate the item's mean as precisely in less hardware
 * time (Kalibera & Jones 2013), from its own variances and costs. Variances are relative: each kept
 * repetition is taken over the item's mean. Failed trials are neither in the variances nor in the
 * costs. Advice for a next protocol; it changes nothing here.
 */
export function adviseAllocation(
  { index, observed, meansNs }: ItemSample,
  { warmup, kept }: RepetitionCounts,
): ItemAllocation {
  const tell = (known: Partial<Known>, reason: string | null): ItemAllocation => ({
    item: index,
    ...nothing,
    ...known,
    reason,
  });
  const n = observed.length;
  if (n < 2) return tell({}, n === 0 ? 'no valid trial' : 'n = 1: two processes are needed');
  if (kept < 2) return tell({}, '1 kept repetition in a process: two are needed');
  const repeated = observed.filter(hasRepetitions);
  if (repeated.length < n) return tell({}, 'the repetitions of some trials are not known');
  const costs = findMeanCosts(repeated, warmup);
  if (costs === null) return tell({}, 'what some processes took in all is not known');
  const known = { repetitionCostNs: costs.repetition, processCostNs: Math.max(0, costs.process) };
  if (costs.process <= 0) {
    return tell(known, 'the processes took no longer than their kept repetitions');
  }
  const meanNs = meansNs.reduce((sum, mean) => sum + mean, 0) / n;
  const relative = repeated.map(({ wallNs }) => wallNs.slice(warmup).map((ns) => ns / meanNs));
  const allocation = allocateRepetitions(relative, costs);
  if (allocation === null)
    return tell(known, 'the processes made different numbers of repetitions');
  const { withinVariance, betweenComponent, optimalRepetitions } = allocation;
  const advice = planSamePrecision(allocation, costs, { processes: n, repetitions: kept });
  return tell(
    { ...known, withinVariance, betweenComponent, optimalRepetitions, advice },
    advice === null
      ? 'the processes differ no more than their repetitions explain: no number of repetitions is best'
      : null,
  );
}

type RepeatedTrial = ObservedTrial & { wallNs: number[] };

function hasRepetitions(trial: ObservedTrial): trial is RepeatedTrial {
  return trial.wallNs !== null;
}

/**
 * One more kept repetition costs its time and what is prepared for it (where that is known); one
 * more process all else of the process: start, load, warm-up, exit. null where a process has no time.
 */
function findMeanCosts(trials: readonly RepeatedTrial[], warmup: number): AllocationCosts | null {
  let keptNs = 0;
  let kept = 0;
  let wholeNs = 0;
  for (const { wallNs, prepareNs, processNs } of trials) {
    if (processNs === null) return null;
    for (let at = warmup; at < wallNs.length; at++) keptNs += wallNs[at]! + (prepareNs?.[at] ?? 0);
    kept += wallNs.length - warmup;
    wholeNs += processNs;
  }
  return { repetition: keptNs / kept, process: (wholeNs - keptNs) / trials.length };
}
