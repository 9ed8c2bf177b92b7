import { type Phase, workKey, workOf } from '../formats/architecture.ts';
import type {
  Plan,
  PlannedComparison,
  PlannedCondition,
  PlannedItemName,
} from '../formats/plan.ts';
import type { Stopping } from '../formats/protocol.ts';

/** Two names with the same key name the same item. */
export function keyOfItem(item: PlannedItemName): string {
  return `${item.modelSha256} ${workKey(item)} ${item.phase}`;
}

/** What the comparisons of a plan follow from. */
export interface ComparedPlan extends Pick<Plan, 'conditions' | 'comparisons'> {
  reference: Omit<PlannedCondition, 'phase'>;
  protocol: { phases: readonly Phase[]; stopping?: Stopping | undefined };
}

/**
 * The comparisons that a sequential campaign is to decide: those that the plan declares, or every
 * condition (b) against the reference (a) in each phase. Their number is the family's size.
 */
export function listComparisons(plan: ComparedPlan): PlannedComparison[] {
  const { protocol, reference, conditions } = plan;
  const { phases, stopping } = protocol;
  if (stopping === undefined) return [];
  if (stopping.comparisons === 'declared') return plan.comparisons ?? [];
  const { modelSha256 } = reference;
  const others = conditions.filter(
    (condition) =>
      condition.modelSha256 !== modelSha256 || workKey(condition) !== workKey(reference),
  );
  return phases.flatMap((phase) =>
    others.map((condition) => ({
      a: { modelSha256, ...workOf(reference), phase },
      b: { ...condition, phase },
    })),
  );
}
