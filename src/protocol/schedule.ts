import type { Item, Phase } from '../formats/architecture.ts';
import type { Model, Plan } from '../formats/plan.ts';
import { createRandom, shuffled } from '../random.ts';

/** What is measured again and again: a model at a sequence length in one phase. */
export interface PlannedItem {
  item: Item;
  model: Model;
}

export interface ScheduledTrial extends PlannedItem {
  /** Place in the whole schedule, from 0. */
  trial: number;
  round: number;
  /** Place in the round, from 0. */
  position: number;
}

/** The items of a plan in the order of its conditions; the reference last when it was added. */
export function listItems(plan: Plan): PlannedItem[] {
  const models = new Map(plan.models.map((model) => [model.sha256, model]));
  const conditions = plan.reference.partOfSpace
    ? plan.conditions
    : [...plan.conditions, plan.reference];
  return conditions.flatMap(({ modelSha256, sequenceLength }) => {
    const model = models.get(modelSha256);
    if (model === undefined) throw new Error(`the plan has no model ${modelSha256}`);
    return plan.protocol.phases.map((phase: Phase) => ({
      model,
      item: {
        architecture: model.architecture.name,
        quantization: model.quantization,
        sequenceLength,
        phase,
      },
    }));
  });
}

/** The same in the order of every output: phase by phase. */
export function listItemsByPhase(plan: Plan): PlannedItem[] {
  const items = listItems(plan);
  return plan.protocol.phases.flatMap((phase) => items.filter(({ item }) => item.phase === phase));
}

/**
 * Every trial of a plan in the order of measuring: one uniformly random order of all items a
 * round. A round's order depends on the seed and its number alone, so that a campaign with fewer
 * rounds measures the beginning of a longer one.
 */
export function planTrials(plan: Plan): ScheduledTrial[] {
  return planRounds(plan).flat();
}

/** The same, round by round: as far as a campaign with a stopping rule may go. */
export function planRounds(plan: Plan): ScheduledTrial[][] {
  const items = listItems(plan);
  return Array.from({ length: plan.protocol.processesPerItem }, (_, round) => {
    const order = shuffled(items, createRandom(`schedule/${plan.scheduleSeed}/${round}`));
    return order.map((planned, position) => {
      return { ...planned, trial: round * items.length + position, round, position };
    });
  });
}
