import { type CountsChoice, chooseCounts, chooseFewLoads } from './budget-counts.ts';
import { type BudgetCounts, expectItem, type ItemExpectation } from './budget-expectation.ts';
import { throwBudgetFaults } from './budget-faults.ts';
import { type PilotItem, type PilotSummary, summarisePilot } from './budget-pilot.ts';
import { describeChoice, describeFewLoads, describeOtherTimes } from './budget-words.ts';

export { describeCost } from './budget-cost.ts';
export type { PilotItem, PilotProcess } from './budget-pilot.ts';

export interface BudgetRequest {
  /** Everything that a round measures, the reference too where it is not of the space. */
  items: readonly PilotItem[];
  /** For the whole campaign, the pilot not included. */
  budgetNs: number;
  /** What a person named, for words, where `budgetNs` is less; null: nothing was named. */
  namedNs?: number | null;
  /** What the user has fixed. It stands, whatever the limits say. */
  fixed: { processes: number | null; warmup: number | null; kept: number | null };
  limits: {
    /** 6: fewest for an interval at 95 %. */
    minProcesses: number;
    maxProcesses: number;
    /** Of one process, warm-up and kept together; at least 2. */
    maxRepetitions: number;
  };
}

export interface BudgetChoice extends BudgetCounts {
  /** Of the whole campaign, in whole ns. */
  expectedNs: number;
  items: ItemExpectation[];
  /** Two or three sentences: how long and how often, the interval to expect, what to be careful of. */
  words: string[];
  /**
   * Set when even the least (fewest processes, 1 kept repetition, the warm-up needed; what is fixed
   * stands) takes longer than the budget. The choice is then that least, and the caller must ask.
   */
  tooShort: { leastNs: number } | null;
}

/**
 * Processes and repetitions of a campaign that takes at most the budget, from a short pilot. The
 * warm-up is the longest that an item needs (`adviseWarmup`), kept repetitions follow the rule of
 * Kalibera & Jones over all items (`chooseKept`), and processes are as many as fit: they show what
 * repetitions cannot. `expectedNs` is at most the budget unless `tooShort` is set, if the campaign costs
 * what the pilot did. More budget never gives fewer processes.
 * @throws RooflawError `invalid-input` with every fault of the request
 */
export function chooseForBudget(request: BudgetRequest): BudgetChoice {
  const pilots = readPilots(request);
  const plan = chooseCounts(pilots, request);
  const items = expectItems(pilots, plan);
  return assemble(plan, items, request, describeChoice({ pilots, request, plan, items }));
}

/**
 * For models whose load takes far longer than measuring: the fewest processes, and as many kept
 * repetitions as fit. A protocol of its own with its own name, since its sample sees what differs
 * between processes (where memory lies, clocks, caches) fewer times, however many repetitions it has.
 * @throws RooflawError as `chooseForBudget`
 */
export function fewerLoads(request: BudgetRequest): BudgetChoice & { protocolName: 'few-loads' } {
  const pilots = readPilots(request);
  const plan = chooseFewLoads(pilots, request);
  const usual = chooseCounts(pilots, request);
  const items = expectItems(pilots, plan);
  const others = { plan: usual, items: expectItems(pilots, usual) };
  const words = describeFewLoads({ pilots, request, plan, items, usual: others });
  return { protocolName: 'few-loads', ...assemble(plan, items, request, words) };
}

/**
 * A sentence on what half and twice the time of a choice would buy.
 * @param request as the choice was made from; what it fixes stands
 * @returns null when neither changes anything
 */
export function compareTimes(choice: BudgetChoice, request: BudgetRequest): string | null {
  const pilots = readPilots(request);
  const others = [0.5, 2].map((share) => {
    const budgetNs = share * choice.expectedNs;
    const plan = chooseCounts(pilots, { ...request, budgetNs });
    const items = expectItems(pilots, plan);
    return { share, plan, items, isTooShort: plan.leastNs > budgetNs };
  });
  return describeOtherTimes(choice, others);
}

function readPilots(request: BudgetRequest): PilotSummary[] {
  throwBudgetFaults(request);
  return request.items.map(summarisePilot);
}

function expectItems(pilots: readonly PilotSummary[], { counts }: CountsChoice): ItemExpectation[] {
  return pilots.map((pilot) => expectItem(pilot, counts));
}

function assemble(
  { counts, expectedNs, leastNs }: CountsChoice,
  items: ItemExpectation[],
  { budgetNs }: BudgetRequest,
  words: string[],
): BudgetChoice {
  const tooShort = leastNs > budgetNs ? { leastNs } : null;
  return { ...counts, expectedNs, items, words, tooShort };
}
