import {
  type BudgetChoice,
  type BudgetRequest,
  chooseForBudget,
  compareTimes,
  describeCost,
  fewerLoads,
  type PilotItem,
} from '../protocol/budget.ts';
import { formatDuration } from '../units.ts';
import type { BenchCounts, BenchProtocolName } from './bench-plan.ts';
import type { FixedCounts } from './campaign-name.ts';
import { agreesToGoOn, longNs } from './consent.ts';
import type { Progress } from './progress.ts';

/** Where nothing is said: long enough for an interval, short enough to wait for. */
const usualBudgetNs = 300e9;
/** Where nothing is said; v1 has as many. */
const usualProcesses = 10;
/** Fewest for an interval of the median at 95 % (6 samples: 96.9 %). */
const fewestProcesses = 6;
const mostProcesses = 1000;
const mostRepetitions = 1000;
/** Real campaigns took up to 3 % longer than their pilots said. */
const shareOfBudget = 0.95;
/** More than this share of a campaign, and there is a cheaper protocol to offer. */
const mostPreparing = 0.5;

/**
 * Counts from a pilot, said before they are used.
 * @param input.items what works, with the bytes of each one's model
 * @returns null when a person said no
 * @throws RooflawError `invalid-input` where nobody can be asked
 */
export async function chooseBenchCounts(
  input: {
    items: readonly PilotItem[];
    modelBytes: readonly number[];
    fixed: FixedCounts;
    budgetNs: number | null;
    protocolName: BenchProtocolName;
    assumeYes: boolean;
  },
  progress: Progress,
): Promise<BenchCounts | null> {
  const { items, modelBytes, fixed, budgetNs, protocolName, assumeYes } = input;
  const request: BudgetRequest = {
    items,
    budgetNs: (budgetNs ?? usualBudgetNs) * shareOfBudget,
    namedNs: budgetNs,
    fixed,
    limits: {
      minProcesses: fewestProcesses,
      maxProcesses: mostProcesses,
      maxRepetitions: mostRepetitions,
    },
  };
  const hasFewLoads = protocolName.startsWith('few-loads');
  const isUsual = budgetNs === null && fixed.processes === null && !hasFewLoads;
  const choice = hasFewLoads
    ? fewerLoads(request)
    : ((isUsual ? chooseUsual(request) : null) ?? chooseWithin(request));
  const isLong = choice.tooShort !== null || choice.expectedNs > longNs;
  const sentences = [
    ...choice.words,
    hasFewLoads || choice.tooShort !== null ? null : compareTimes(choice, request),
    hasFewLoads ? null : describeCost(choice, items, modelBytes),
    offerRestoring(protocolName, items),
  ];
  for (const sentence of sentences) if (sentence !== null) progress.say(sentence);
  if (!assumeYes && isLong) {
    const offer = hasFewLoads ? '' : ', or `--protocol few-loads` for fewer loads of the model';
    if (!(await agrees(choice, offer, progress))) return null;
  }
  const { processes, warmup, kept } = choice;
  return { processes, warmup, kept };
}

/** At least two kept repetitions where they fit: one has no spread, so no stable flag. */
function chooseWithin(request: BudgetRequest): BudgetChoice {
  const choice = chooseForBudget(request);
  if (choice.kept > 1 || request.fixed.kept !== null || choice.tooShort !== null) return choice;
  const two = chooseForBudget({ ...request, fixed: { ...request.fixed, kept: 2 } });
  return two.tooShort === null ? two : choice;
}

/** As many processes as v1 has; null when they do not fit. */
function chooseUsual(request: BudgetRequest): BudgetChoice | null {
  const fixed = { ...request.fixed, processes: usualProcesses };
  const choice = chooseWithin({ ...request, fixed });
  return choice.tooShort === null ? choice : null;
}

function offerRestoring(
  protocolName: BenchProtocolName,
  items: readonly PilotItem[],
): string | null {
  if (protocolName.endsWith('restored') || shareOfPreparing(items) <= mostPreparing) return null;
  const name = protocolName === 'bench' ? 'bench-restored' : 'few-loads-restored';
  return `Most of the time goes into filling the cache before each repetition: --protocol ${name} fills it once in a process and restores it.`;
}

function shareOfPreparing(items: readonly PilotItem[]): number {
  const processes = items.flatMap((item) => item.processes);
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const preparing = total(processes.map(({ prepareNs }) => total(prepareNs)));
  const all = total(
    processes.map(
      ({ overheadNs, wallNs, prepareNs }) => overheadNs + total(wallNs) + total(prepareNs),
    ),
  );
  return all === 0 ? 0 : preparing / all;
}

/** @throws RooflawError `invalid-input` where nobody can be asked */
async function agrees(choice: BudgetChoice, offer: string, progress: Progress): Promise<boolean> {
  const least = choice.tooShort === null ? '' : 'the budget is too short: ';
  return await agreesToGoOn(
    {
      what: `${least}this takes about ${formatDuration(choice.expectedNs)}`,
      otherwise: `--budget ${Math.ceil(choice.expectedNs / 1e9 / shareOfBudget)}s${offer}`,
      shorter: `--budget for another time${offer}`,
    },
    progress,
  );
}
