import { metricSchema } from '../formats/experiment.ts';
import type { ExperimentResult } from '../formats/experiment-result.ts';
import type { ObservedEntry } from '../formats/ledger.ts';
import { identityOf } from '../hash.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import type { ArmData, CollectedExperiment } from './collect.ts';
import { findFindings } from './findings.ts';
import { measureProcess } from './metrics.ts';
import { findNatural } from './natural.ts';
import { findRecovery } from './recovery.ts';
import { findTraces } from './traces.ts';

/** What an experiment says: what was declared first, and apart from it what was only looked at. */
export function analyzeExperiment(collected: CollectedExperiment): ExperimentResult {
  const { campaign, experiment, groups, complete, notes } = collected;
  const processes = groups.flatMap(({ arms }) => arms.flatMap((arm) => arm.processes));
  const failed = processes.filter(({ state }) => state === 'failed').length;
  return {
    format: 'rooflaw-experiment-result',
    formatVersion: 1,
    name: campaign.name,
    declared: experiment,
    experimentSha256: identityOf(experiment),
    protocolSha256: campaign.protocolSha256,
    device: campaign.device,
    deviceDescription: campaign.fingerprint.deviceDescription,
    complete,
    observed: processes.length - failed,
    failed,
    groups: groups.map(({ item }) => item),
    withheld: notes.filter((text) => text.startsWith('withheld here')),
    notMeasured: listNotMeasured(collected),
    invalidIntervals: listInvalidIntervals(collected),
    failures: listFailures(collected),
    findings: findFindings(collected),
    recovery: findRecovery(collected),
    natural: findNatural(collected),
    traces: findTraces(collected),
    lookedAtAfterwards: lookAtAll(collected),
    limits: listLimits(collected),
  };
}

/** Readings that were asked for and are not there, each reason once. */
function listNotMeasured({ groups }: CollectedExperiment): ExperimentResult['notMeasured'] {
  const found = new Map<string, { reading: string; arms: Set<string>; reason: string }>();
  for (const { arm, processes } of groups.flatMap(({ arms }) => arms)) {
    for (const run of processes) {
      if (run.state === 'failed') continue;
      const readings = run.entry.load?.treatment?.readings ?? {};
      for (const [reading, said] of Object.entries(readings)) {
        if (!('notMeasured' in said)) continue;
        const key = `${reading} ${said.notMeasured}`;
        const known = found.get(key) ?? { reading, arms: new Set(), reason: said.notMeasured };
        known.arms.add(arm.name);
        found.set(key, known);
      }
    }
  }
  return [...found.values()].map((one) => ({ ...one, arms: [...one.arms] }));
}

/** A repetition is one interval, and each slice of integer work another. */
function listInvalidIntervals({
  groups,
}: CollectedExperiment): ExperimentResult['invalidIntervals'] {
  return groups.flatMap(({ arms }, group) =>
    arms.flatMap(({ arm, processes }) => {
      const intervals = processes.flatMap((run) =>
        run.state === 'failed' ? [] : listValid(run.entry),
      );
      const invalid = intervals.filter((isValid) => !isValid).length;
      return invalid === 0 ? [] : [{ arm: arm.name, group, invalid, intervals: intervals.length }];
    }),
  );
}

/** Of each interval in which the frequency was read: whether it is valid. */
function listValid({ load, repetitions }: ObservedEntry): boolean[] {
  const said = load?.treatment?.readings.frequency;
  if (said === undefined || !('source' in said)) return [];
  return repetitions.flatMap(({ counters, activity }) => [
    counters?.mperf !== undefined,
    ...(activity?.sliceMperf ?? []).map((mperf) => mperf > 0),
  ]);
}

function listFailures({ groups }: CollectedExperiment): ExperimentResult['failures'] {
  return groups.flatMap(({ arms }, group) =>
    arms.flatMap(({ arm, processes }) => {
      const failures = processes.flatMap((one) => (one.state === 'failed' ? [one.message] : []));
      const [message] = failures;
      return message === undefined
        ? []
        : [
            {
              arm: arm.name,
              group,
              failed: failures.length,
              message: message || 'no reason was given',
            },
          ];
    }),
  );
}

function lookAtAll({ groups }: CollectedExperiment): ExperimentResult['lookedAtAfterwards'] {
  return groups.flatMap(({ arms }, group) =>
    arms.map((data) => ({
      arm: data.arm.name,
      group,
      processes: data.processes.filter(({ state }) => state === 'observed').length,
      medians: metricSchema.options.flatMap((metric) => {
        const median = medianOfNumbers(valuesOf(data, metric));
        return median === null ? [] : [{ metric, median }];
      }),
    })),
  );
}

function valuesOf({ processes, kept }: ArmData, metric: (typeof metricSchema.options)[number]) {
  return processes.flatMap((run) => {
    if (run.state === 'failed') return [];
    const measured = measureProcess(metric, run.entry, kept);
    return 'value' in measured ? [measured.value] : [];
  });
}

/** What no experiment of this kind shows, however it ends. */
function listLimits({ experiment, complete, groups }: CollectedExperiment): string[] {
  const limits = [
    'An effect is of this machine, this work and these arms. Effects of different experiments are neither added nor chained: each has a protocol of its own.',
    'Blocks are taken for independent; processes of one session share its temperature and load.',
  ];
  if (!complete)
    limits.unshift(
      'The experiment is not complete: its number of blocks was declared, and nothing is tested before the last one.',
    );
  if (experiment.arms.some(({ treatment }) => treatment?.readings?.includes('cpu-time')))
    limits.push(
      'CPU time is the kernel’s: on a virtual machine it may hold time in which the host ran something else.',
    );
  if (experiment.natural.length === 0)
    limits.push(
      'No slow repetition was looked at one by one: nothing here says what causes the delays that nobody forced.',
    );
  if (groups.length > 1)
    limits.push(
      'What is usual for one kind of work (a time, a frequency) is compared with nothing of another.',
    );
  return limits;
}
