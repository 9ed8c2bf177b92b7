import type { Plan } from '../formats/plan.ts';
import { createRandom, shuffled } from '../random.ts';
import { planOrders } from './balanced-order.ts';
import { listItems, type PlannedItem } from './planned-items.ts';

/**
 * The items of an experiment in groups: one condition under each of its arms, in their order. Only
 * these are compared with one another.
 */
export function listGroups(plan: Plan): PlannedItem[][] {
  const arms = plan.experiment?.arms.length ?? 1;
  const items = listItems(plan);
  return Array.from({ length: items.length / arms }, (_, group) =>
    items.slice(group * arms, (group + 1) * arms),
  );
}

/**
 * The order of every block: groups in random order, and each group's arms one right after another in
 * the order of the design, so that what drifts is the same for all of them.
 */
export function orderBlocks(plan: Plan): PlannedItem[][] {
  const { experiment, scheduleSeed, protocol } = plan;
  const groups = listGroups(plan);
  const arms = experiment?.arms.length ?? 1;
  const blocks = protocol.processesPerItem;
  const orders = groups.map((_, group) =>
    planOrders(experiment?.order ?? 'random', arms, blocks, `arms/${scheduleSeed}/${group}`),
  );
  return Array.from({ length: blocks }, (_, block) => {
    const places = groups.map((_, group) => group);
    const order = shuffled(places, createRandom(`blocks/${scheduleSeed}/${block}`));
    return order.flatMap((group) => orders[group]![block]!.map((arm) => groups[group]![arm]!));
  });
}
