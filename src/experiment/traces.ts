import { formatShare } from '../analysis/format-percent.ts';
import { listWords } from '../analysis/list-words.ts';
import type { ExperimentResult } from '../formats/experiment-result.ts';
import type { WhoRan } from '../formats/who-ran.ts';
import type { CollectedExperiment } from './collect.ts';
import { formatTime } from './number-words.ts';

type Trace = ExperimentResult['traces'][number];

/** What looks at /proc saw in each arm that asked for them: how complete, and at which cost. */
export function findTraces({ experiment, groups }: CollectedExperiment): Trace[] {
  return experiment.arms.flatMap(({ name }) => {
    const records = groups.flatMap(({ arms }) =>
      arms.flatMap(({ arm, processes }) =>
        arm.name === name
          ? processes.flatMap((one) => (one.state === 'observed' ? (one.entry.whoRan ?? []) : []))
          : [],
      ),
    );
    return records.length === 0 ? [] : [sumUp(name, records)];
  });
}

function sumUp(arm: string, records: readonly WhoRan[]): Trace {
  const sum = (of: (record: WhoRan) => number) =>
    records.reduce((total, one) => total + of(one), 0);
  const names = new Map<string, number>();
  for (const { others } of records) {
    for (const [name, ns] of Object.entries(others)) names.set(name, (names.get(name) ?? 0) + ns);
  }
  const trace = {
    arm,
    processes: records.length,
    samplesTaken: sum(({ samplesTaken }) => samplesTaken),
    samplesExpected: sum(({ samplesExpected }) => samplesExpected),
    waitNs: sum(({ waitNs }) => waitNs),
    attributedNs: sum(({ attributedNs }) => attributedNs),
    samplerCpuNs: sum(({ samplerCpuNs }) => samplerCpuNs),
    others: [...names].map(([name, ns]) => ({ name, ns })).sort((a, b) => b.ns - a.ns),
  };
  return { ...trace, sentences: describe(trace) };
}

/** Names beyond these stand in the JSON. */
const mostNames = 6;

function describe(trace: Omit<Trace, 'sentences'>): string[] {
  const { arm, samplesTaken, samplesExpected, waitNs, attributedNs, samplerCpuNs, others } = trace;
  const share = (part: number, whole: number) =>
    whole === 0 ? 'none' : formatShare(Math.min(1, part / whole));
  const names = others.slice(0, mostNames).map(({ name, ns }) => `${name} ${formatTime(ns)}`);
  return [
    `Trace of ${arm}: ${samplesTaken} of ${samplesExpected} expected looks were taken (${share(samplesTaken, samplesExpected)}); they used ${formatTime(samplerCpuNs)} of CPU time.`,
    `The main threads waited ${formatTime(waitNs)} for a CPU, by the kernel’s count from process start to end; of that others on the same CPU account for ${formatTime(attributedNs)} (${share(attributedNs, waitNs)})${names.length === 0 ? '' : `: ${listWords(names, mostNames)} ran there in those intervals`}. Whoever ran only between two looks is missed, and who ran in an interval need not be who was waited for.`,
  ];
}
