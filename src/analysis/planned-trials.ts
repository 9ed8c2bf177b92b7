import { formatItem, type Item } from '../formats/architecture.ts';
import type { Plan } from '../formats/plan.ts';
import { keyOfItem } from '../protocol/comparisons.ts';
import { listItems } from '../protocol/schedule.ts';
import { createSequentialTest } from '../protocol/stopping.ts';

/** A trial as far as a stopping rule looks at it. */
export interface ConcludedTrial {
  item: Item;
  round: number;
  /** Of the kept repetitions in ns; null for a failed trial. */
  sum: bigint | null;
}

/**
 * How many trials a plan asks for. A stopping rule is followed through the finished rounds: once
 * everything is decided it asks for no more than there are.
 */
export function countPlannedTrials(plan: Plan, concluded: readonly ConcludedTrial[]): number {
  const items = listItems(plan);
  const test = createSequentialTest(plan);
  const rounds = Map.groupBy(concluded, ({ round }) => round);
  const keys = new Map(
    items.map(({ item, model }) => [
      formatItem(item),
      keyOfItem({ ...item, modelSha256: model.sha256 }),
    ]),
  );
  const { processesPerItem } = plan.protocol;
  for (let round = 0; test !== null && round < processesPerItem; round++) {
    const trials = rounds.get(round) ?? [];
    if (trials.length < items.length) break;
    const sums = trials.flatMap(({ item, sum }): [string, bigint][] =>
      sum === null ? [] : [[keys.get(formatItem(item))!, sum]],
    );
    if (test.next(new Map(sums)).stop) return items.length * (round + 1);
  }
  return items.length * processesPerItem;
}
