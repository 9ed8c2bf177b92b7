import { existsSync } from 'node:fs';
import { folderOfCampaign } from '../campaign/locate.io.ts';
import { RooflawError } from '../errors.ts';
import type { Analysis } from '../formats/analysis.ts';
import type { DecisionEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import type { Stopping } from '../formats/protocol.ts';
import { expectRoundNs } from '../protocol/budget-counts.ts';
import type { PilotSummary } from '../protocol/budget-pilot.ts';
import { findFirstRound } from '../protocol/stopping-faults.ts';
import { formatCount, formatDuration } from '../units.ts';
import { preparationOf } from './ab.ts';
import {
  chooseRepetitions,
  planSidesPilot,
  refuseForeignPilot,
  runSidesPilot,
  type SidesWork,
} from './ab-pilot.ts';
import { createSidesPlan, type PlannedSide } from './ab-plan.ts';
import { prepareSides } from './ab-prepare.ts';
import { nameSidesCampaign } from './ab-words.ts';
import { describeResume } from './bench-words.ts';
import { createFirstNumber } from './first-number.ts';
import type { GateRequest } from './gate-request.ts';
import { loadAnalysis } from './load-analysis.ts';
import type { MeasureHooks } from './measure.ts';
import type { Progress } from './progress.ts';
import { type RunOptions, runPlan } from './run.ts';
import { listenForStop } from './stop-signal.ts';

/** Of any wrong verdict of a gate, A/A included. */
export const gateAlpha = 0.05;
/** More rounds narrow an interval hardly further, and the rule spends its alpha over all of them. */
export const mostRounds = 100;
/** Of the time that is left; the rest is for what the pilot did not see. */
const plannedShare = 0.95;

/** Why there is nothing to judge: too little time, a stop, or a trial of the pilot that failed. */
export type GateMeasurement =
  | {
      state: 'measured';
      record: Awaited<ReturnType<typeof loadAnalysis>>['record'];
      analysis: Analysis;
      plannedRounds: number;
      isCutShort: boolean;
    }
  | { state: 'too-short'; neededNs: number; rounds: number }
  | { state: 'pilot-failed'; failed: number; lines: string[]; campaign: string }
  | { state: 'stopped'; howToGoOn: string };

/**
 * Base, base again and the candidate in the same randomised rounds, as many as fit into the time.
 * @param elapsedNs time since the command began
 */
export async function measureGate(
  request: GateRequest,
  elapsedNs: () => number,
  progress: Progress,
): Promise<GateMeasurement> {
  for (const note of request.notes) progress.say(note);
  using stop = listenForStop('stopping', progress);
  const { a: base, b: candidate, runOptions } = await prepareSides(request, progress, stop.signal);
  const { tests, ours, repetitions } = request.shared;
  const name = ours.name ?? nameSidesCampaign('gate', base.model, new Date());
  const cachePreparation = preparationOf(request);
  const sides: PlannedSide[] = [
    { variant: 'base', ...base },
    { variant: 'base-again', ...base },
    { variant: 'candidate', ...candidate },
  ];
  // base again costs what base does
  const ofPilot: SidesWork = { name, sides: [sides[0]!, sides[2]!], tests, cachePreparation };
  const pilotPlan = planSidesPilot(ofPilot);
  refuseBegunGate(name);
  await refuseForeignPilot(pilotPlan);
  const pilot = await runSidesPilot(
    pilotPlan,
    ofPilot,
    runOptions,
    createFirstNumber(progress),
    progress,
  );
  if (pilot.state === 'stopped' || stop.signal.aborted) {
    return { state: 'stopped', howToGoOn: `the same command with --name ${name} goes on` };
  }
  if (pilot.failed > 0 || pilot.state === 'failed') {
    const lines = pilot.state === 'failed' ? pilot.lines : [];
    return { state: 'pilot-failed', failed: pilot.failed, lines, campaign: pilotPlan.name };
  }
  const [ofBase, ofCandidate] = pilot.pilots as [PilotSummary[], PilotSummary[]];
  const fewest = findFirstRound('S2', gateAlpha / (2 * tests.length));
  const choice = chooseRounds([...ofBase, ...ofBase, ...ofCandidate], {
    leftNs: request.timeLimitNs - elapsedNs(),
    fewest,
    fixed: { warmup: ours.warmup, kept: ours.kept ?? repetitions },
  });
  if (choice.rounds < fewest) {
    return { state: 'too-short', neededNs: elapsedNs() + choice.leastNs, rounds: fewest };
  }
  const { rounds, warmup, kept, roundNs } = choice;
  progress.say(
    `${rounds} rounds of ${sides.length * tests.length} processes with ${warmup} warm-up and ${kept} kept repetitions: about ${formatDuration(rounds * roundNs)} of the ${formatDuration(request.timeLimitNs - elapsedNs())} that are left`,
  );
  progress.say(
    `${formatCount(2 * tests.length, 'comparison')}: of ${formatCount(tests.length, 'test')} base again against base (A/A) and the candidate against base; decided counts both kinds`,
  );
  const plan = createSidesPlan({
    name,
    question: 'Is the candidate slower than base by more than was allowed?',
    targetDifference: request.maxSlowdown,
    protocolName: 'gate',
    description: 'Base, base again and a candidate in the same randomised rounds.',
    sides,
    tests,
    counts: { processes: rounds, warmup, kept },
    cachePreparation,
    rule: {
      stopping: ruleOf(request.maxSlowdown),
      pairs: [
        { a: 0, b: 1 },
        { a: 0, b: 2 },
      ],
    },
  });
  return runWithinTime(plan, { ...runOptions, name }, request.timeLimitNs, elapsedNs, progress);
}

/**
 * Another time leaves another number of rounds, so that a gate is not gone on with.
 * @throws RooflawError `already-exists`
 */
function refuseBegunGate(name: string): void {
  const { folder, ledger } = folderOfCampaign(name);
  if (!existsSync(ledger)) return;
  throw new RooflawError('already-exists', `campaign ${name} is there already (${folder})`, {
    hint: `another --name; \`rooflaw analyze ${name}\` reads it, and what a stopped gate has printed ends it`,
  });
}

/** Ends as soon as every interval lies within 1 -+ maxSlowdown or clear of it. */
function ruleOf(maxSlowdown: number): Stopping {
  return {
    method: 'S2',
    alpha: gateAlpha,
    margin: maxSlowdown,
    equivalence: maxSlowdown,
    correction: 'bonferroni',
    comparisons: 'declared',
  };
}

/**
 * As many rounds as fit; kept repetitions give way when the fewest do not fit with them.
 * @param pilots of everything that a round measures
 * @returns `rounds` below `fewest` when even 1 kept repetition leaves too little; `leastNs`: what it takes
 */
export function chooseRounds(
  pilots: readonly PilotSummary[],
  {
    leftNs,
    fewest,
    fixed,
  }: {
    leftNs: number;
    fewest: number;
    fixed: { warmup: number | null; kept: number | null };
  },
): { rounds: number; warmup: number; kept: number; roundNs: number; leastNs: number } {
  const usableNs = plannedShare * Math.max(0, leftNs);
  const wanted = chooseRepetitions(pilots, fixed);
  const { warmup } = wanted;
  const roundOf = (kept: number) => expectRoundNs(pilots, warmup + kept);
  let { kept } = wanted;
  if (fixed.kept === null) while (kept > 1 && fewest * roundOf(kept) > usableNs) kept -= 1;
  const roundNs = roundOf(kept);
  const leastNs = (fewest * roundOf(fixed.kept ?? 1)) / plannedShare;
  const rounds = Math.min(Math.max(mostRounds, fewest), Math.floor(usableNs / roundNs));
  return { rounds, warmup, kept, roundNs, leastNs };
}

/** Ends a campaign between two rounds: another one would not fit. */
class OutOfTime extends Error {}

/** The intervals hold whenever one stops, so also when the time is up. */
async function runWithinTime(
  plan: Plan,
  options: RunOptions & { name: string },
  timeLimitNs: number,
  elapsedNs: () => number,
  progress: Progress,
): Promise<GateMeasurement> {
  const rounds = createRoundTimer(plan.protocol.processesPerItem, timeLimitNs, elapsedNs);
  const hooks: MeasureHooks = {
    onIntended: rounds.begin,
    onDecided: (decision) => {
      if (rounds.endsWith(decision)) throw new OutOfTime();
    },
  };
  let isCutShort = false;
  try {
    const result = await runPlan(plan, { ...options, ...hooks }, progress);
    if (result.stopped && !result.state.ended) {
      const howToGoOn = describeResume(options.name, options);
      progress.say(howToGoOn);
      return { state: 'stopped', howToGoOn };
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    progress.done();
    progress.say('the time is up: another round would not fit');
    isCutShort = true;
  }
  const { record, analysis } = await loadAnalysis(folderOfCampaign(options.name).folder);
  const plannedRounds = plan.protocol.processesPerItem;
  return { state: 'measured', record, analysis, plannedRounds, isCutShort };
}

/**
 * Says after which round another one would not fit, when one takes as long as the longest so far.
 * @param elapsedNs time since the command began
 */
export function createRoundTimer(
  plannedRounds: number,
  timeLimitNs: number,
  elapsedNs: () => number,
) {
  let roundBegan: number | null = null;
  let longestNs = 0;
  return {
    /** Before each trial: what comes before the first is not of a round. */
    begin(): void {
      roundBegan ??= elapsedNs();
    },
    /** After each round. A campaign that ends by itself is not cut short. */
    endsWith({ round, stop }: Pick<DecisionEntry, 'round' | 'stop'>): boolean {
      const now = elapsedNs();
      longestNs = Math.max(longestNs, now - (roundBegan ?? now));
      roundBegan = now;
      return !stop && round + 1 < plannedRounds && now + longestNs > timeLimitNs;
    },
  };
}
