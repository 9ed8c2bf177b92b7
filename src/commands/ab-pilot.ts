import { exitStatus } from '../errors.ts';
import type { BenchTest } from '../llama-bench/options/request.ts';
import { chooseKept } from '../protocol/budget-counts.ts';
import { adviseWarmup, type PilotSummary, summarisePilot } from '../protocol/budget-pilot.ts';
import { planTrials } from '../protocol/schedule.ts';
import { createSidesPlan, type PlannedSide } from './ab-plan.ts';
import { readPilot } from './bench-pilot.ts';
import { sayFirst } from './bench-words.ts';
import { loadRecord } from './load-record.ts';
import type { Progress } from './progress.ts';
import { type RunOptions, runPlan } from './run.ts';

/** Enough to see a warm-up, and a first look at how processes differ. */
const pilotCounts = { processes: 2, warmup: 0, kept: 8 };
/** Of one process, warm-up and kept together. */
const mostRepetitions = 1000;

/** What a pilot showed of each side, test by test. */
export type SidePilots = PilotSummary[][];

/**
 * Measures each side twice in each test, into a campaign of its own that no verdict looks at.
 * @returns null when it was stopped; the exit status is then set
 * @throws RooflawError `invalid-input` when a test has no trial that worked
 */
export async function runSidesPilot(
  input: {
    name: string;
    sides: readonly PlannedSide[];
    tests: readonly BenchTest[];
    cachePreparation: 'compute' | 'restore';
    runOptions: Pick<RunOptions, 'device' | 'backends' | 'models'>;
  },
  progress: Progress,
): Promise<{ pilots: SidePilots; failed: number } | null> {
  const { sides, tests, cachePreparation, runOptions } = input;
  const name = `${input.name}-pilot`;
  const plan = createSidesPlan({
    name,
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
  progress.say(
    `pilot: ${planTrials(plan).length} processes of ${pilotCounts.kept} repetitions, kept apart in campaigns/${name}`,
  );
  const options = { ...runOptions, name, onObserved: sayFirst(plan, progress) };
  const { folder, state, stopped } = await runPlan(plan, options, progress);
  if (stopped) {
    progress.say(
      `stopped in the pilot; to go on: the same command with --name ${name.replace(/-pilot$/, '')}`,
    );
    process.exitCode = exitStatus.interrupted;
    return null;
  }
  const items = readPilot(plan, await loadRecord(folder.ledger)).map(summarisePilot);
  const pilots = sides.map((_, side) =>
    items.slice(side * tests.length, (side + 1) * tests.length),
  );
  return { pilots, failed: state.failed };
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
