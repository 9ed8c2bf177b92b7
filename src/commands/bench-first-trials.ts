import type { CampaignRecord } from '../analysis/campaign-record.ts';
import { exitStatus } from '../errors.ts';
import type { Plan } from '../formats/plan.ts';
import type { BenchOutput, BenchTest } from '../llama-bench/options/request.ts';
import { listItems, planTrials } from '../protocol/schedule.ts';
import {
  describeFailedItems,
  type FailedItem,
  keysOfPairs,
  listFailedItems,
} from './bench-failures.ts';
import { createPilotForecast } from './bench-pilot-forecast.ts';
import { type BenchProtocolName, leaveOut, makeBenchPlan } from './bench-plan.ts';
import type { FixedCounts } from './campaign-name.ts';
import type { FirstNumber } from './first-number.ts';
import { nameFirstTrials } from './first-trials-name.ts';
import { loadRecord } from './load-record.ts';
import type { OnObserved } from './measure.ts';
import type { PreparedBench } from './prepare-bench.ts';
import type { Progress } from './progress.ts';
import { runPlan } from './run-plan.ts';

/** Of the pilot, at most: enough to see a warm-up, and a first look at how processes differ. */
const pilotCounts = { processes: 2, kept: 10 };

/** What runs before a campaign, in a campaign of its own. */
export interface FirstTrials {
  /** pilot: every item, to choose counts. probe: every model and variant once, to see whether it loads. */
  kind: 'pilot' | 'probe';
  plan: Plan;
}

/** @returns null where nothing is left to choose, and one model under one variant cannot fail in part */
export function planFirstTrials(input: {
  name: string;
  protocolName: BenchProtocolName;
  prepared: PreparedBench;
  tests: readonly BenchTest[];
  fixed: FixedCounts;
  /** Whether nobody asks how long it will take. */
  assumeYes: boolean;
}): FirstTrials | null {
  const { prepared, tests, fixed, assumeYes } = input;
  const { name } = input;
  const { processes, warmup, kept } = fixed;
  if (processes !== null && warmup !== null && kept !== null) {
    const isShort = processes * (warmup + kept) <= pilotCounts.processes * pilotCounts.kept;
    if (isShort || assumeYes) {
      const pairs = prepared.models.length * (prepared.variants?.length ?? 1);
      if (pairs === 1) return null;
      const counts = { processes: 1, warmup: 0, kept: 1 };
      const least = [findLeast(tests)];
      const plan = makeBenchPlan({
        ...input,
        name: nameFirstTrials(name, 'probe'),
        tests: least,
        counts,
      });
      return { kind: 'probe', plan };
    }
  }
  // with both fixed there is no warm-up to find and no number of repetitions to choose
  const asMeasured = warmup === null || kept === null ? pilotCounts.kept : warmup + kept;
  const counts = { ...pilotCounts, kept: Math.min(pilotCounts.kept, asMeasured), warmup: 0 };
  return {
    kind: 'pilot',
    plan: makeBenchPlan({ ...input, name: nameFirstTrials(name, 'pilot'), counts }),
  };
}

/** What takes the fewest tokens: a probe asks whether a model loads. */
function findLeast(tests: readonly BenchTest[]): BenchTest {
  return tests.reduce((least, test) =>
    test.depth + test.tokens < least.depth + least.tokens ? test : least,
  );
}

/** What the first trials showed. */
export interface FirstFindings {
  record: CampaignRecord;
  failed: FailedItem[];
}

/**
 * Runs them, and says what failed.
 * @param telling.howToGoOn what to type after a stop
 * @param telling.output form of the table, which is empty when nothing works
 * @returns null when it was stopped or nothing works; the exit status is then set
 */
export async function runFirstTrials(
  { kind, plan }: FirstTrials,
  prepared: PreparedBench,
  telling: { howToGoOn: string; output: BenchOutput; firstNumber: FirstNumber },
  progress: Progress,
): Promise<FirstFindings | null> {
  const { processesPerItem, repetitions } = plan.protocol;
  const where = `kept apart in campaigns/${plan.name}`;
  const trials = planTrials(plan).length;
  progress.say(
    kind === 'pilot'
      ? `pilot: ${processesPerItem} processes of ${repetitions.kept} repetitions for each item, ${trials} in all, ${where}`
      : `probe: ${trials} processes of one repetition, to see that each model loads under each variant, ${where}`,
  );
  const options = { ...prepared.runOptions, name: plan.name, endsWhenNothingWorks: true };
  const look = telling.firstNumber(plan);
  const sayRest = kind === 'pilot' ? createPilotForecast(plan, progress, true) : null;
  const onObserved: OnObserved = (item, entry) => {
    look.onObserved?.(item, entry);
    sayRest?.(item, entry);
  };
  const result = await runPlan(plan, { ...options, ...look, onObserved }, progress);
  if (result.stopped) {
    progress.say(`stopped in the ${kind}; to go on: ${telling.howToGoOn}`);
    process.exitCode = exitStatus.interrupted;
    return null;
  }
  const record = await loadRecord(result.folder.ledger);
  const failed = listFailedItems(plan, record);
  if (failed.length === listItems(plan).length) {
    sayNothingWorks(plan, failed, telling.output, progress);
    return null;
  }
  return { record, failed };
}

/** Once, with every reason, and the empty table; sets the exit status. */
export function sayNothingWorks(
  { name }: Plan,
  failed: readonly FailedItem[],
  output: BenchOutput,
  progress: Progress,
): void {
  if (output === 'json') process.stdout.write('[]\n'); // no other format needs bytes to be empty
  progress.say(`rooflaw: nothing could be measured; the logs are in campaigns/${name}/logs`);
  for (const line of describeFailedItems(failed)) progress.say(`  ${line}`);
  process.exitCode = exitStatus.trialsFailed;
}

/** The campaign's plan without what the first trials showed not to work. */
export function leaveOutFailed(
  plan: Plan,
  failed: readonly FailedItem[],
  kind: FirstTrials['kind'],
): Plan {
  const keys = kind === 'probe' ? keysOfPairs(plan, failed) : new Set(failed.map(({ key }) => key));
  return leaveOut(plan, keys);
}

/** What is not measured, and why: for a reader of the table too. */
export function describeLeftOut(
  failed: readonly FailedItem[],
  kind: FirstTrials['kind'],
): string[] {
  return describeFailedItems(failed, kind === 'pilot').map(
    (line) => `LEFT OUT after the ${kind}: ${line}`,
  );
}
