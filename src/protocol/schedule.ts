import type { Plan } from '../formats/plan.ts';
import { createRandom, shuffled } from '../random.ts';
import { orderBlocks } from './blocks.ts';
import { listItems, type PlannedItem } from './planned-items.ts';

export { listItems, listItemsByPhase, nameItem, type PlannedItem } from './planned-items.ts';

export interface ScheduledTrial extends PlannedItem {
  /** Place in the whole schedule, from 0. */
  trial: number;
  round: number;
  /** Place in the round, from 0. */
  position: number;
}

/**
 * Every trial of a plan in the order of measuring: one uniformly random order of all items a
 * round; in an experiment the order of its blocks (see `orderBlocks`). A round's order depends on the seed and its number alone, so that a campaign with fewer
 * rounds measures the beginning of a longer one.
 */
export function planTrials(plan: Plan): ScheduledTrial[] {
  return planRounds(plan).flat();
}

/** The same, round by round: as far as a campaign with a stopping rule may go. */
export function planRounds(plan: Plan): ScheduledTrial[][] {
  const orders = plan.protocol.order === 'balanced-blocks' ? orderBlocks(plan) : orderRounds(plan);
  return orders.map((order, round) =>
    order.map((planned, position) => {
      return { ...planned, trial: round * order.length + position, round, position };
    }),
  );
}

function orderRounds(plan: Plan): PlannedItem[][] {
  const items = listItems(plan);
  return Array.from({ length: plan.protocol.processesPerItem }, (_, round) =>
    shuffled(items, createRandom(`schedule/${plan.scheduleSeed}/${round}`)),
  );
}
