import type { ComparisonEvidence } from '../formats/ledger.ts';
import type { Plan, PlannedItemName } from '../formats/plan.ts';
import type { FollowedComparison, SequentialAnalysis } from '../formats/sequential.ts';
import { keyOfItem } from '../protocol/comparisons.ts';
import { listItemsByPhase } from '../protocol/schedule.ts';
import {
  alphaOfEach,
  createSequentialTest,
  type Decision,
  roundsToDecide,
} from '../protocol/stopping.ts';
import { toNumber } from '../stats/fraction.ts';
import { median } from '../stats/median.ts';
import { formatCount } from '../units.ts';
import type { JudgedTrial } from './judge-trial.ts';

/**
 * Follows a plan's stopping rule through the finished rounds of a campaign: to the decision to stop,
 * to the last finished round, or to the maximum. For a campaign that was measured under this rule it
 * gives what its `decision` entries say, since `verify` recomputes them in the same way.
 * @returns null when the plan's rounds are fixed
 */
export function analyzeSequential(
  plan: Plan,
  trials: readonly JudgedTrial[],
): SequentialAnalysis | null {
  const { stopping, processesPerItem } = plan.protocol;
  const test = createSequentialTest(plan);
  if (stopping === undefined || test === null) return null;
  const items = listItemsByPhase(plan).map(({ item, model }) =>
    keyOfItem({
      modelSha256: model.sha256,
      sequenceLength: item.sequenceLength,
      phase: item.phase,
    }),
  );
  const sumsOfItem = new Map<string, bigint[]>(items.map((key) => [key, []]));
  const decisions: Decision[] = [];
  for (const round of listFinishedRounds(trials, items.length).slice(0, processesPerItem)) {
    const sums = sumByItem(round);
    for (const [key, sum] of sums) sumsOfItem.get(key)!.push(sum);
    decisions.push(test.next(sums));
    if (decisions.at(-1)!.stop) break;
  }
  const last = decisions.at(-1) ?? createSequentialTest(plan)!.next(new Map()); // before any round
  const family = last.comparisons.length;
  const earliestRounds = roundsToDecide(stopping, family, processesPerItem)!; // else no sound plan
  const kept = BigInt(plan.protocol.repetitions.kept);
  const timeOf = (item: PlannedItemName) => {
    const middle = median(sumsOfItem.get(keyOfItem(item))!);
    return middle && toNumber({ ...middle, denominator: middle.denominator * kept });
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

/** Rounds from the first on in which every item has an outcome, in their order. */
export function listFinishedRounds(
  trials: readonly JudgedTrial[],
  itemCount: number,
): JudgedTrial[][] {
  const byRound = Map.groupBy(
    trials.filter(({ state }) => state === 'observed' || state === 'failed'),
    ({ record }) => record.round,
  );
  const rounds: JudgedTrial[][] = [];
  for (;;) {
    const round = byRound.get(rounds.length);
    if (round?.length !== itemCount) return rounds;
    rounds.push(round);
  }
}

function sumByItem(round: readonly JudgedTrial[]): Map<string, bigint> {
  return new Map(
    round.flatMap((trial): [string, bigint][] => {
      if (trial.state !== 'observed') return [];
      const { item, modelSha256 } = trial.record;
      const { sequenceLength, phase } = item;
      return [[keyOfItem({ modelSha256, sequenceLength, phase }), trial.keptSum]];
    }),
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
