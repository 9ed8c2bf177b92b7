import { itemOf } from '../formats/architecture.ts';
import type { TokenItem, TokenProcess } from '../formats/token-analysis.ts';
import type { PlannedItem } from '../protocol/schedule.ts';
import { explainNoInterval, ratioAcross, timeAcross } from './steps-across.ts';
import { profileSteps } from './steps-profile.ts';
import { countBeyond } from './steps-quantiles.ts';
import { describeSlowSteps } from './steps-slow.ts';
import { describeProcess, stepsOfEighth } from './steps-statistics.ts';
import type { ProcessSteps } from './steps-times.ts';

const nanosecondsPerSecond = 1e9;

/** What the campaign's rules say about an item. */
export interface StepRules {
  warmup: number;
  kept: number;
  decodeSteps: number;
  cachePreparation: 'compute' | 'restore';
}

/** Everything about one decode item; the unit is the process. @param failed its failed trials */
export function describeTokenItem(
  { item }: Pick<PlannedItem, 'item'>,
  processes: readonly ProcessSteps[],
  failed: number,
  rules: StepRules,
): TokenItem {
  const { sequenceLength } = item;
  const { warmup, kept, cachePreparation } = rules;
  const steps = item.decodeSteps ?? rules.decodeSteps;
  const stepsPerProcess = steps * kept;
  const described = processes.map(describeProcess);
  const over = (timeOf: (process: TokenProcess) => number | null) =>
    timeAcross(described.map(timeOf));
  const meanStep = over(({ meanStepNs }) => meanStepNs);
  const medianStep = over(({ medianStepNs }) => medianStepNs);
  const first = over(({ firstEighthNs }) => firstEighthNs);
  const last = over(({ lastEighthNs }) => lastEighthNs);
  const reading = over(({ clockNs }) => clockNs);
  const result = {
    meanStep,
    tokensPerSecond:
      meanStep === null || meanStep.medianNs === 0
        ? null
        : nanosecondsPerSecond / meanStep.medianNs,
    medianStep,
    p90: over(({ p90Ns }) => p90Ns),
    p99: over(({ p99Ns }) => p99Ns),
    p999: over(({ p999Ns }) => p999Ns),
    slowestStep: over(({ slowestStepNs }) => slowestStepNs),
    growth:
      first === null || last === null
        ? null
        : { steps: stepsOfEighth(steps), first, last, lastOverFirst: compareEnds(described) },
    prefill: over(({ prefillNs }) => prefillNs),
    firstToken: over(({ firstTokenNs }) => firstTokenNs),
    firstTokenWithLoad: over(({ firstTokenWithLoadNs }) => firstTokenWithLoadNs),
    ownFirstToken: over(({ ownFirstTokenNs }) => ownFirstTokenNs),
    clock: reading && {
      readingNs: reading.medianNs,
      shareOfMedianStep:
        medianStep === null || medianStep.medianNs === 0
          ? null
          : reading.medianNs / medianStep.medianNs,
    },
    slow:
      described.length === 0
        ? null
        : describeSlowSteps(processes, described, { steps, sequenceLength, warmup }),
  };
  const n = described.length;
  return {
    ...itemOf(item),
    n,
    failed,
    steps,
    stepsPerProcess,
    ...result,
    beyond: {
      p90: countBeyond(0.9, stepsPerProcess),
      p99: countBeyond(0.99, stepsPerProcess),
      p999: countBeyond(0.999, stepsPerProcess),
    },
    profileNs: profileSteps(processes, steps),
    processes: described,
    missing: listMissing(result, { n, steps, stepsPerProcess, sequenceLength, cachePreparation }),
  };
}

/** Last over first eighth; null where a first eighth takes no time that the clock can see. */
function compareEnds(described: readonly TokenProcess[]) {
  return ratioAcross(
    described.map(({ firstEighthNs, lastEighthNs }) =>
      firstEighthNs === null || lastEighthNs === null || firstEighthNs === 0
        ? null
        : lastEighthNs / firstEighthNs,
    ),
  );
}

interface Situation {
  n: number;
  steps: number;
  stepsPerProcess: number;
  sequenceLength: number;
  cachePreparation: StepRules['cachePreparation'];
}

/** Each field that is null with its reason, and why there are no intervals. */
function listMissing(
  fields: Record<string, unknown>,
  situation: Situation,
): { field: string; reason: string }[] {
  const missing = Object.entries(fields).flatMap(([field, value]) =>
    value === null ? [{ field, reason: explainNull(field, situation) }] : [],
  );
  const reason = explainNoInterval(situation.n);
  return situation.n === 0 || reason === null
    ? missing
    : [...missing, { field: 'interval', reason }];
}

function explainNull(field: string, situation: Situation): string {
  const { n, steps, stepsPerProcess, sequenceLength, cachePreparation } = situation;
  if (n === 0) return 'no process of it was observed';
  switch (field) {
    case 'p999':
      return `the ${stepsPerProcess} kept steps of a process leave none beyond its 99.9 % rank, so it would be the slowest step again; it takes 1000`;
    case 'growth':
      return `a repetition has ${steps} steps; an eighth of them is no step, it takes 8`;
    case 'clock':
      return 'what a reading of the clock costs was not recorded for every process';
    case 'prefill':
    case 'firstToken':
    case 'firstTokenWithLoad':
    case 'ownFirstToken':
      if (sequenceLength === 0)
        return 'there is no prompt: the first step starts on an empty cache';
      if (cachePreparation === 'restore')
        return 'the cache was restored from a copy before each repetition, not computed';
      return 'not every kept repetition computed its prompt';
    default:
      return 'the clock saw no time pass';
  }
}
