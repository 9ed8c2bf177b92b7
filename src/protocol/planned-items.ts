import { type Item, type Phase, workKey, workOf } from '../formats/architecture.ts';
import {
  type Model,
  nameOfModel,
  type Plan,
  type PlannedCondition,
  type PlannedItemName,
  type Variant,
} from '../formats/plan.ts';
import type { Execution } from '../formats/protocol.ts';

/** What is measured again and again: a model at a sequence length in one phase. */
export interface PlannedItem {
  item: Item;
  model: Model;
  /** The protocol's, or its variant's. */
  execution: Execution;
  /** Label of the backend it runs on; null: the campaign's one. */
  backend: string | null;
  /** The plan's variant under which it is measured; absent: none. */
  variant?: Variant;
  isReference: boolean;
}

/** The items of a plan in the order of its conditions; the reference last when it was added. */
export function listItems(plan: Plan): PlannedItem[] {
  const { protocol, reference } = plan;
  const models = new Map(plan.models.map((model) => [model.sha256, model]));
  const variants = new Map(plan.variants?.map((variant) => [variant.name, variant]));
  const conditions: readonly PlannedCondition[] = reference.partOfSpace
    ? plan.conditions
    : [...plan.conditions, reference];
  return conditions.flatMap((condition, index) => {
    const { modelSha256, phase: onlyPhase, variant: variantName } = condition;
    const model = models.get(modelSha256);
    if (model === undefined) throw new Error(`the plan has no model ${modelSha256}`);
    const variant = variantName === undefined ? undefined : variants.get(variantName);
    if (variantName !== undefined && variant === undefined)
      throw new Error(`the plan has no variant ${variantName}`);
    const { sequenceLength, ...otherWork } = workOf(condition);
    const [architecture, { quantization }] = [nameOfModel(model), model];
    const phases = onlyPhase === undefined ? protocol.phases : [onlyPhase];
    return phases.map((phase) => ({
      model,
      item: { architecture, quantization, sequenceLength, phase, ...otherWork },
      execution: variant?.execution ?? protocol.execution,
      backend: variant?.backend ?? null,
      ...(variant === undefined ? {} : { variant }),
      isReference:
        protocol.reference === 'first-condition'
          ? isFirstOfItsPhase(conditions, index, phase)
          : isSameWork(condition, reference),
    }));
  });
}

/** Without a reference of its own, drift is looked for in the first item of each phase. */
function isFirstOfItsPhase(
  conditions: readonly PlannedCondition[],
  index: number,
  phase: Phase,
): boolean {
  return conditions.findIndex((other) => (other.phase ?? phase) === phase) === index;
}

function isSameWork(a: PlannedCondition, b: PlannedCondition): boolean {
  return a.modelSha256 === b.modelSha256 && workKey(a) === workKey(b);
}

/** The item as the plan's comparisons name it. */
export function nameItem({ item, model }: Pick<PlannedItem, 'item' | 'model'>): PlannedItemName {
  return { modelSha256: model.sha256, ...workOf(item), phase: item.phase };
}

/** The same in the order of every output: phase by phase. */
export function listItemsByPhase(plan: Plan): PlannedItem[] {
  const items = listItems(plan);
  return plan.protocol.phases.flatMap((phase) => items.filter(({ item }) => item.phase === phase));
}
