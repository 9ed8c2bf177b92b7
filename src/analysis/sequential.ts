import type { ComparisonEvidence } from '../formats/ledger.ts';
import type { Plan, PlannedItemName } from '../formats/plan.ts';
import type { FollowedComparison, SequentialAnalysis } from '../formats/sequential.ts';
import { keyOfItem } from '../protocol/comparisons.ts';
import { listItemsByPhase, nameItem } from '../protocol/schedule.ts';
import {
  alphaOfEach,
  createSequentialTest,
  type Decision,
  roundsToDecide,
} from '../protocol/stopping.ts';
import { toNumber } from '../stats/fraction.ts';
import { median } from '../stats/median.ts';
import { formatCount } from '../units.ts';
import type { MeasuredTrial, Measurements } from './measurements.ts';

/** What a stopping rule looks at: the sums of trials, in whatever unit, with their rounds and items. */
export interface Followed extends Pick<Measurements, 'unitsPerNs'> {
  trials: readonly Pick<MeasuredTrial, 'item' | 'round' | 'state' | 'sum'>[];
}

/**
 * Follows a plan's stopping rule through the finished rounds of a campaign: to the decision to stop,
 * to the last finished round, or to the maximum. For a campaign that was measured under this rule it
 * gives what its `decision` entries say, since `verify` recomputes them in the same way. Public tables
 * give the same, since their exact sums are recovered from them.
 * @param followed its trials name their items by their places in the plan's order, phase by phase
 * @returns null when the plan's rounds are fixed
 */
export function analyzeSequential(
  plan: Plan,
  { trials, unitsPerNs }: Followed,
): SequentialAnalysis | null {
  const { stopping, processesPerItem } = plan.protocol;
  if (stopping === undefined) return null;
  const items = listItemsByPhase(plan).map((planned) => keyOfItem(nameItem(planned)));
  const sumsOfItem = new Map<string, bigint[]>(items.map((key) => [key, []]));
  const decisions: Decision[] = [];
  for (const { sums, decision } of followRounds(plan, trials)) {
    for (const [key, sum] of sums) sumsOfItem.get(key)!.push(sum);
    decisions.push(decision);
  }
  const last = decisions.at(-1) ?? createSequentialTest(plan)!.next(new Map()); // before any round
  const family = last.comparisons.length;
  const earliestRounds = roundsToDecide(stopping, family, processesPerItem)!; // else no sound plan
  const timeOf = (item: PlannedItemName) => {
    const middle = median(sumsOfItem.get(keyOfItem(item))!);
    return middle && toNumber({ ...middle, denominator: middle.denominator * unitsPerNs });
  };
  return {
    rule: stopping,
    family,
    alphaOfEach: alphaOfEach(stopping, family),
    earliestRounds,
    maximumRounds: processesPerItem,
    rounds: decisions.length,
    stopped: decisions.length > 0 && last.stop,
    decided: last.comparisons.filter(({ state }) => state !== 'open').length,
    comparisons: last.comparisons.map(({ a, b, ...evidence }, index): FollowedComparison => {
      const decided = decisions.findIndex(({ comparisons }) => isDecided(comparisons[index]!));
      return {
        ...evidence,
        a: items.indexOf(keyOfItem(a)),
        b: items.indexOf(keyOfItem(b)),
        aNs: timeOf(a),
        bNs: timeOf(b),
        decidedAfter: decided === -1 ? null : decided + 1,
        reason: whyNoInterval(evidence, earliestRounds),
      };
    }),
  };
}

/**
 * How many trials a plan asks for. A stopping rule is followed through the finished rounds: what it
 * leaves out is not asked for, and once everything is decided no further round is. While it goes on,
 * at most.
 * @param trials name their items by their places in the plan's order, phase by phase
 */
export function countPlannedTrials(plan: Plan, trials: Followed['trials']): number {
  const { stopping, processesPerItem } = plan.protocol;
  const itemCount = listItemsByPhase(plan).length;
  if (stopping === undefined) return itemCount * processesPerItem;
  let planned = 0;
  let rounds = 0;
  let perRound = itemCount;
  for (const round of followRounds(plan, trials)) {
    planned += round.due.length;
    rounds += 1;
    perRound = round.dueNext.length;
    if (round.decision.stop) return planned;
  }
  return planned + (processesPerItem - rounds) * perRound;
}

type FollowedTrial = Followed['trials'][number];

interface FollowedRound<Trial extends FollowedTrial> {
  /** By `keyOfItem`. */
  sums: Map<string, bigint>;
  decision: Decision;
  /** Trials that the rule asks for, all with an outcome. */
  due: Trial[];
  /** Trials of items that it leaves out, which were measured all the same: it does not look at them. */
  surplus: Trial[];
  /** Items that the next round would measure, by their places. */
  dueNext: number[];
}

/**
 * The rounds of a campaign under a stopping rule, to the one that ends it or to the last in which
 * every trial that is due has an outcome.
 * @param plan has a stopping rule; need not be the one by which the trials were measured
 */
export function* followRounds<Trial extends FollowedTrial>(
  plan: Plan,
  trials: readonly Trial[],
): Generator<FollowedRound<Trial>> {
  const test = createSequentialTest(plan)!;
  const items = listItemsByPhase(plan).map((planned) => keyOfItem(nameItem(planned)));
  const byRound = groupConcluded(trials);
  const listDue = () => items.flatMap((key, item) => (test.leavesOut(key) ? [] : [item]));
  for (let round = 0; round < plan.protocol.processesPerItem; round++) {
    const measured = byRound.get(round) ?? [];
    const due = measured.filter(({ item }) => !test.leavesOut(items[item]!));
    const surplus = measured.filter(({ item }) => test.leavesOut(items[item]!));
    if (due.length !== listDue().length) return;
    const sums = new Map(
      due.flatMap(({ item, sum }): [string, bigint][] =>
        sum === null ? [] : [[items[item]!, sum]],
      ),
    );
    const decision = test.next(sums);
    yield { sums, decision, due, surplus, dueNext: listDue() };
    if (decision.stop) return;
  }
}

/**
 * The rounds of a campaign that have come to their end, in their order: each with an outcome of every
 * item that its plan asks for there.
 */
export function listFinishedRounds<Trial extends FollowedTrial>(
  plan: Plan,
  trials: readonly Trial[],
): Trial[][] {
  if (plan.protocol.stopping !== undefined) {
    return [...followRounds(plan, trials)].map(({ due }) => due);
  }
  const itemCount = listItemsByPhase(plan).length;
  const byRound = groupConcluded(trials);
  const rounds: Trial[][] = [];
  for (;;) {
    const round = byRound.get(rounds.length);
    if (round?.length !== itemCount) return rounds;
    rounds.push(round);
  }
}

function groupConcluded<Trial extends Pick<MeasuredTrial, 'round' | 'state'>>(
  trials: readonly Trial[],
): Map<number, Trial[]> {
  return Map.groupBy(
    trials.filter(({ state }) => state === 'observed' || state === 'failed'),
    ({ round }) => round,
  );
}

const isDecided = ({ state }: ComparisonEvidence) => state !== 'open';

function whyNoInterval(
  { pairs, current, running }: Pick<ComparisonEvidence, 'pairs' | 'current' | 'running'>,
  needed: number,
): string | null {
  if (running !== null) return null;
  if (current === null) {
    const count = formatCount(pairs, 'pair');
    return `${count} of valid trials; an interval needs ${needed}`;
  }
  return 'the intervals of its rounds have nothing in common: the ratio has moved, or one of them missed it';
}
