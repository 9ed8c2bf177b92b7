import {
  type BudgetChoice,
  type BudgetRequest,
  chooseForBudget,
  compareTimes,
  describeCost,
  fewerLoads,
  type PilotItem,
} from '../protocol/budget.ts';
import { describeCells, processesForCells } from '../protocol/budget-cells.ts';
import { formatProcesses } from '../protocol/budget-words.ts';
import { fewestVariantsOfHeatMap } from '../report/heat-map.ts';
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
 * @param input.cells variants under one test: enough processes to choose among them are taken where they fit
 * @param input.again what to type so that the pilot is used again: `the same command with --name NAME`
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
    cells: number;
    again: string;
  },
  progress: Progress,
): Promise<BenchCounts | null> {
  const { items, modelBytes, fixed, budgetNs, protocolName, assumeYes, cells, again } = input;
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
  const choose = (request: BudgetRequest) =>
    hasFewLoads
      ? fewerLoads(request)
      : ((isUsual ? chooseUsual(request) : null) ?? chooseWithin(request));
  const sweep = cells < fewestVariantsOfHeatMap ? null : chooseForSweep(choose, request, cells);
  const choice = sweep?.choice ?? choose(request);
  const isLong = choice.tooShort !== null || choice.expectedNs > longNs;
  const sentences = [
    ...choice.words,
    hasFewLoads || choice.tooShort !== null
      ? null
      : compareTimes(choice, sweep?.request ?? request),
    hasFewLoads ? null : describeCost(choice, items, modelBytes, sweep?.needed),
    sweep?.sentence ?? null,
    offerRestoring(protocolName, items),
  ];
  for (const sentence of sentences) if (sentence !== null) progress.say(sentence);
  if (!assumeYes && isLong) {
    const hasMore = !hasFewLoads && choice.processes > fewestProcesses;
    const offer = hasMore
      ? ', or `--protocol few-loads` with another --name for fewer loads of the model'
      : '';
    if (!(await agrees(choice, again, offer, progress))) return null;
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

/** Enough processes to choose among the cells of a test, where they fit; else as many as do. */
function chooseForSweep(
  choose: (request: BudgetRequest) => BudgetChoice,
  request: BudgetRequest,
  cells: number,
): { choice: BudgetChoice; request: BudgetRequest; needed: number; sentence: string } {
  const needed = Math.max(fewestProcesses, processesForCells(cells));
  const withEnough = { ...request, limits: { ...request.limits, minProcesses: needed } };
  const enough = choose(withEnough);
  const hasEnough = enough.tooShort === null;
  const choice = hasEnough ? enough : choose(request);
  const { fixed } = request;
  const least = chooseForBudget({ ...request, fixed: { ...fixed, processes: needed } });
  const ns = least.tooShort?.leastNs ?? least.expectedNs;
  const processes = fixed.processes === null ? '' : `--processes ${needed} `;
  const option = `${processes}--budget ${budgetSecondsFor(ns)}s`;
  const sentence = describeCells(cells, choice.processes, { ns, option });
  return { choice, request: hasEnough ? withEnough : request, needed, sentence };
}

/** That many seconds have room for a campaign of this time. */
const budgetSecondsFor = (ns: number) => Math.ceil(ns / 1e9 / shareOfBudget);

/** As many processes as v1 has, or as are asked for at least; null when they do not fit. */
function chooseUsual(request: BudgetRequest): BudgetChoice | null {
  const processes = Math.max(usualProcesses, request.limits.minProcesses);
  const fixed = { ...request.fixed, processes };
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
async function agrees(
  choice: BudgetChoice,
  again: string,
  offer: string,
  progress: Progress,
): Promise<boolean> {
  const { tooShort, expectedNs, processes } = choice;
  const least = tooShort === null ? '' : 'the budget is too short: ';
  const reuse = `${again} uses the pilot again`;
  const fits = `${formatProcesses(processes)} of each item fit`;
  return await agreesToGoOn(
    {
      what: `${least}this takes about ${formatDuration(expectedNs)}`,
      otherwise: `--budget ${budgetSecondsFor(expectedNs)}s (${fits}); ${reuse}${offer}`,
      shorter: `--budget for another time; ${reuse}${offer}`,
    },
    progress,
  );
}
