import { analyzeExperiment } from '../../src/experiment/analyze.ts';
import { createExperimentCollector } from '../../src/experiment/collect.ts';
import type { Experiment } from '../../src/formats/experiment.ts';
import {
  type ExperimentResult,
  experimentResultSchema,
} from '../../src/formats/experiment-result.ts';
import type { ObservedEntry } from '../../src/formats/ledger.ts';
import type { TreatmentReport } from '../../src/formats/treatment.ts';
import type { WhoRan } from '../../src/formats/who-ran.ts';
import { smallExperimentPlan } from '../support/experiment-plan.ts';
import { createLedger, loadUnder } from '../support/ledger-builder.ts';
import { fileModel } from '../support/variant-plan.ts';

export type Repetition = ObservedEntry['repetitions'][number];

/** What one process measured: its kept repetitions, after one warm-up; or why it failed. null: it is due. */
export type Told = readonly Partial<Repetition>[] | { failed: string } | null;

/** All readings are there, but for those that say why not. */
export function reportOf(
  readings: readonly string[],
  missing: Readonly<Record<string, string>> = {},
  mperfHertz: number | null = null,
): TreatmentReport {
  const said = readings.map((name) => [
    name,
    missing[name] === undefined ? { source: 'a test' } : { notMeasured: missing[name] },
  ]);
  return { readings: Object.fromEntries(said), mperfHertz, residentShare: 1 };
}

/** The result of an experiment on one model, of what each arm's process in each block is told to have measured. */
export function resultOf(
  experiment: Experiment,
  tell: (arm: string, block: number) => Told,
  {
    report,
    isComplete = true,
    whoRan,
  }: { report?: TreatmentReport; isComplete?: boolean; whoRan?: WhoRan } = {},
): ExperimentResult {
  const plan = smallExperimentPlan(experiment, [fileModel('one', '1')]);
  const ledger = createLedger(plan);
  for (const scheduled of ledger.schedule) {
    const { trial, round, item, variant } = scheduled;
    const told = tell(item.variant!, round);
    if (told === null) continue;
    if ('failed' in told) {
      ledger.fail(trial, { message: told.failed });
      continue;
    }
    const [first] = told as readonly Partial<Repetition>[];
    const repetitions = [first, ...(told as readonly Partial<Repetition>[])].map((one) => ({
      wallNs: 1,
      prepareNs: 10,
      ...one,
    }));
    const treatment =
      variant?.treatment === undefined || report === undefined ? {} : { treatment: report };
    ledger.observe(trial, [], {
      repetitions,
      processNs: repetitions.reduce((sum, one) => sum + one.wallNs + one.prepareNs, 1000),
      load: { ...loadUnder(plan, scheduled), ...treatment },
      ...(whoRan !== undefined && variant?.launch?.whoRuns ? { whoRan } : {}),
    });
  }
  if (isComplete) ledger.add({ type: 'end', observed: 1, failed: 0 });
  const collector = createExperimentCollector();
  for (const entry of ledger.entries) collector.take(entry);
  return experimentResultSchema.parse(analyzeExperiment(collector.finish()!));
}

/** Everything that a result says in words. */
export const wordsOf = (result: ExperimentResult): string[] => [
  ...result.findings.flatMap(({ sentences }) => sentences),
  ...result.recovery.map(({ sentence }) => sentence),
  ...result.natural.flatMap(({ sentences, cases, associations }) => [
    ...sentences,
    ...cases.flatMap(({ observed, unknown }) => [...observed, ...unknown]),
    ...associations.map(({ sentence }) => sentence),
  ]),
  ...result.traces.flatMap(({ sentences }) => sentences),
  ...result.limits,
];
