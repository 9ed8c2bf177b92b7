import type { Phase } from '../formats/architecture.ts';
import type {
  Plan,
  PlannedComparison,
  PlannedCondition,
  PlannedItemName,
} from '../formats/plan.ts';
import type { Stopping } from '../formats/protocol.ts';

/** Two names with the same key name the same item. */
export function keyOfItem({ modelSha256, sequenceLength, phase }: PlannedItemName): string {
  return `${modelSha256} ${sequenceLength} ${phase}`;
}

/** What the comparisons of a plan follow from. */
export interface ComparedPlan extends Pick<Plan, 'conditions' | 'comparisons'> {
  reference: PlannedCondition;
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
  const { modelSha256, sequenceLength } = reference;
  const others = conditions.filter(
    (condition) =>
      condition.modelSha256 !== modelSha256 || condition.sequenceLength !== sequenceLength,
  );
  return phases.flatMap((phase) =>
    others.map((condition) => ({
      a: { modelSha256, sequenceLength, phase },
      b: { ...condition, phase },
    })),
  );
}
