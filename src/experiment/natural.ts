import {
  type Natural,
  type NaturalCase,
  type SlowCaseKind,
  slowKindSchema,
} from '../formats/experiment-result.ts';
import type { ObservedEntry } from '../formats/ledger.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import { classifySlowRepetition, type Timing } from '../stats/slow-repetition.ts';
import type { ArmData, CollectedExperiment } from './collect.ts';
import { cyclesRatio, offCpuNs } from './metrics.ts';
import { findAssociations } from './natural-associations.ts';
import { findBaseline, isSlowBeside } from './natural-baseline.ts';
import { describeCase, describeNatural } from './natural-words.ts';
import { explainTooEarly } from './too-early.ts';

/** Reading the clocks takes time between the two that are compared. */
const toleranceNs = 100_000;

export type Repetition = ObservedEntry['repetitions'][number];

/** A kept repetition with its place. */
export interface Kept {
  block: number;
  /** In its process, from 0, warm-up included. */
  repetition: number;
  times: Repetition;
}

/** The slow repetitions of the arms in which nothing is to be explained by force. */
export function findNatural(collected: CollectedExperiment): Natural[] {
  const { experiment, groups } = collected;
  const tooEarly = explainTooEarly(collected);
  return experiment.natural.flatMap((name) =>
    groups.flatMap(({ arms }, group) => {
      const data = arms.find(({ arm }) => arm.name === name);
      return data === undefined ? [] : [watch(data, group, tooEarly)];
    }),
  );
}

function watch(data: ArmData, group: number, tooEarly: string | null): Natural {
  const kept = listKept(data);
  const baseline = findBaseline(data);
  const usualFrequency = medianOfNumbers(kept.flatMap(({ times }) => cyclesRatio(times) ?? []));
  const usualWaitNs = medianOfNumbers(
    kept.flatMap(({ times }) => times.counters?.schedulerWaitNs ?? []),
  );
  const usualOffNs = medianOfNumbers(kept.flatMap(({ times }) => offCpuNs(times) ?? []));
  const usual = { baseline, usualFrequency, usualWaitNs, usualOffNs };
  const isSlow = ({ times }: Kept) =>
    baseline !== null && isSlowBeside(times.wallNs, baseline.elapsed);
  const cases = kept.filter(isSlow).map((one) => examine(one, usual, data));
  const kinds = Object.fromEntries(
    slowKindSchema.options.map((kind) => [kind, cases.filter((one) => one.kind === kind).length]),
  ) as Natural['kinds'];
  const found = {
    arm: data.arm.name,
    group,
    processes: data.processes.filter(({ state }) => state === 'observed').length,
    repetitions: kept.length,
    baselineNs: baseline?.elapsed ?? null,
    baselineCpuNs: baseline?.cpu ?? null,
    slow: cases.length,
    slowProcesses: new Set(cases.map(({ block }) => block)).size,
    kinds,
    cases,
    associations: findAssociations(kept, isSlow, usualFrequency, tooEarly),
  };
  return { ...found, sentences: describeNatural(found) };
}

function listKept({ processes, kept }: ArmData): Kept[] {
  return processes.flatMap((run) => {
    if (run.state === 'failed') return [];
    const { block, entry } = run;
    const first = Math.max(0, entry.repetitions.length - kept);
    return entry.repetitions
      .slice(first)
      .map((times, index) => ({ block, repetition: first + index, times }));
  });
}

/** What is usual for this work. */
export interface Usual {
  baseline: Timing | null;
  usualFrequency: number | null;
  usualWaitNs: number | null;
  /** Median of elapsed less CPU time, which is not the difference of their medians. */
  usualOffNs: number | null;
}

function examine({ block, repetition, times }: Kept, usual: Usual, data: ArmData): NaturalCase {
  const { baseline, usualFrequency, usualWaitNs, usualOffNs } = usual;
  const { wallNs, counters = {} } = times;
  const timing = { elapsed: wallNs, cpu: counters.mainCpuNs ?? null };
  const { kind } = classifySlowRepetition(baseline!, timing, toleranceNs);
  const offNs = offCpuNs(times);
  const extraOffNs = offNs === undefined || usualOffNs === null ? null : offNs - usualOffNs;
  const extraWaitingNs =
    counters.schedulerWaitNs === undefined || usualWaitNs === null
      ? null
      : counters.schedulerWaitNs - usualWaitNs;
  const frequency = cyclesRatio(times);
  const facts = {
    block,
    repetition,
    kind: kind as SlowCaseKind,
    elapsedNs: wallNs,
    mainCpuNs: timing.cpu,
    extraWaitingNs,
    extraOtherNs:
      extraOffNs === null || extraWaitingNs === null ? null : extraOffNs - extraWaitingNs,
    startCpu: counters.startCpu ?? null,
    endCpu: counters.endCpu ?? null,
    migrations: counters.migrations ?? null,
    involuntarySwitches: counters.involuntarySwitches ?? null,
    frequencyRatio:
      frequency === undefined || usualFrequency === null ? null : frequency / usualFrequency,
  };
  return { ...facts, ...describeCase(facts, baseline!, extraOffNs, reportOf(data, block)) };
}

/** What the process said of its readings, and who ran meanwhile. */
function reportOf({ processes }: ArmData, block: number) {
  const run = processes.find((one) => one.block === block);
  const entry = run?.state === 'observed' ? run.entry : null;
  return { readings: entry?.load?.treatment?.readings ?? {}, whoRan: entry?.whoRan ?? null };
}
