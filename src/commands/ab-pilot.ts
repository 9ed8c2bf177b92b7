import type { Plan } from '../formats/plan.ts';
import type { BenchTest } from '../llama-bench/options/request.ts';
import { chooseKept } from '../protocol/budget-counts.ts';
import { adviseWarmup, type PilotSummary, summarisePilot } from '../protocol/budget-pilot.ts';
import { planTrials } from '../protocol/schedule.ts';
import { createSidesPlan, type PlannedSide } from './ab-plan.ts';
import { describeFailedItems, listFailedItems } from './bench-failures.ts';
import { readPilot } from './bench-pilot.ts';
import { createPilotForecast } from './bench-pilot-forecast.ts';
import { refuseForeignCampaign } from './campaign-name.ts';
import type { FirstNumber } from './first-number.ts';
import { nameFirstTrials } from './first-trials-name.ts';
import { loadRecord } from './load-record.ts';
import type { OnObserved } from './measure.ts';
import type { Progress } from './progress.ts';
import { type RunOptions, runPlan } from './run.ts';

/** Enough to see a warm-up, and a first look at how processes differ. */
const pilotCounts = { processes: 2, warmup: 0, kept: 8 };
/** Of one process, warm-up and kept together. */
const mostRepetitions = 1000;

/** Whether a side and test takes so many repetitions in all that a pilot would save nothing. */
export const isShortAsPilot = (repetitions: number): boolean =>
  repetitions <= pilotCounts.processes * pilotCounts.kept;

/** What a pilot showed of each side, test by test. */
export type SidePilots = PilotSummary[][];

/** What is measured, apart from counts. */
export interface SidesWork {
  /** Of the campaign that the pilot is for. */
  name: string;
  sides: readonly PlannedSide[];
  tests: readonly BenchTest[];
  cachePreparation: 'compute' | 'restore';
}

/** Each side twice in each test, in a campaign of its own that no verdict looks at. */
export function planSidesPilot({ name, sides, tests, cachePreparation }: SidesWork): Plan {
  return createSidesPlan({
    name: nameFirstTrials(name, 'pilot'),
    question: 'How long does a process take, and how many repetitions does it need?',
    targetDifference: 0.1,
    protocolName: 'pilot',
    description: 'Two fresh processes of each side and test, to choose the counts of a campaign.',
    sides,
    tests,
    counts: pilotCounts,
    cachePreparation,
    rule: null,
  });
}

/** @throws RooflawError `already-exists` where something else was begun under the pilot's name */
export async function refuseForeignPilot(plan: Plan): Promise<void> {
  await refuseForeignCampaign({ plan, fixed: pilotCounts, pilot: null });
}

/** `failed`: at least one test of a side has no trial that worked; a line for each. */
export type SidesPilot =
  | { state: 'measured'; pilots: SidePilots; failed: number }
  | { state: 'failed'; failed: number; lines: string[] }
  | { state: 'stopped' };

/** @param plan by `planSidesPilot` */
export async function runSidesPilot(
  plan: Plan,
  { name: campaign, sides, tests }: SidesWork,
  runOptions: Pick<RunOptions, 'device' | 'backends' | 'models'>,
  firstNumber: FirstNumber,
  progress: Progress,
): Promise<SidesPilot> {
  const { name } = plan;
  progress.say(
    `pilot: ${planTrials(plan).length} processes of ${pilotCounts.kept} repetitions, kept apart in campaigns/${name}`,
  );
  const look = firstNumber(plan);
  const sayRest = createPilotForecast(plan, progress);
  const onObserved: OnObserved = (item, entry) => {
    look.onObserved?.(item, entry);
    sayRest(item, entry);
  };
  const options = { ...runOptions, name, ...look, onObserved };
  const { folder, state, stopped } = await runPlan(plan, options, progress);
  if (stopped && !state.ended) {
    progress.say(`stopped in the pilot; to go on: the same command with --name ${campaign}`);
    return { state: 'stopped' };
  }
  const record = await loadRecord(folder.ledger);
  const { failed } = state;
  const failedItems = listFailedItems(plan, record);
  if (failedItems.length > 0)
    return { state: 'failed', failed, lines: describeFailedItems(failedItems) };
  const items = readPilot(plan, record).map(summarisePilot);
  const pilots = sides.map((_, side) =>
    items.slice(side * tests.length, (side + 1) * tests.length),
  );
  return { state: 'measured', pilots, failed };
}

/**
 * Warm-up as long as any item needs it, and kept repetitions by the rule of Kalibera & Jones held to
 * an even split: under a stopping rule the number of processes is not known beforehand.
 * @param pilots of everything that a round measures
 * @param fixed what the user has fixed stands
 */
export function chooseRepetitions(
  pilots: readonly PilotSummary[],
  fixed: { warmup: number | null; kept: number | null },
): { warmup: number; kept: number } {
  const warmup =
    fixed.warmup ?? Math.min(mostRepetitions - 1, Math.max(...pilots.map(adviseWarmup)));
  const most = Math.max(1, mostRepetitions - warmup);
  const kept = fixed.kept ?? Math.min(most, chooseKept(pilots, warmup).best);
  return { warmup, kept };
}
