import type { Fault } from '../errors.ts';
import type { PlannedComparison, PlannedCondition } from '../formats/plan.ts';
import type { Protocol } from '../formats/protocol.ts';
import { keyOfItem, listComparisons } from './comparisons.ts';
import { findStoppingFaults } from './stopping-faults.ts';

/** Parts of a plan; `undefined` keeps the place of one whose shape is wrong. */
interface ReadablePlan {
  protocol: Protocol;
  reference: Omit<PlannedCondition, 'phase'>;
  conditions: readonly (PlannedCondition | undefined)[];
  comparisons: readonly (PlannedComparison | undefined)[];
}

/** Whether the comparisons are those that the protocol's stopping rule asks for and can decide. */
export function findComparisonFaults(plan: ReadablePlan, areDeclared: boolean): Fault[] {
  const { protocol, reference } = plan;
  const { stopping, processesPerItem } = protocol;
  if (stopping?.comparisons !== 'declared') {
    if (areDeclared) return [{ where: 'comparisons', what: notAsked(protocol) }];
  } else if (!areDeclared) {
    return [
      {
        where: 'comparisons',
        what: `protocol ${protocol.name} decides declared comparisons, and there are none`,
        hint: "declare them: rooflaw plan --compare 'quantization=F16 vs quantization=Q8_0'",
      },
    ];
  }
  if (stopping === undefined) return [];
  if (
    stopping.comparisons === 'all-against-reference' &&
    protocol.reference === 'first-condition'
  ) {
    const what = 'the plan’s protocol has no reference that everything could be compared with';
    const hint =
      "declare comparisons: --compare 'variant=a vs variant=b', with a protocol that decides declared ones";
    return [{ where: 'protocol.stopping.comparisons', what, hint }];
  }
  const conditions = plan.conditions.filter((condition) => condition !== undefined);
  const comparisons = plan.comparisons.filter((comparison) => comparison !== undefined);
  const all = listComparisons({ protocol, reference, conditions, comparisons });
  if (all.length === 0) {
    const what = 'the plan has nothing to compare with the reference';
    return areDeclared ? [] : [{ where: 'conditions', what }];
  }
  const known = new Set(
    [...conditions, reference].flatMap((condition: PlannedCondition) => {
      const phases = condition.phase === undefined ? protocol.phases : [condition.phase];
      return phases.map((phase) => keyOfItem({ ...condition, phase }));
    }),
  );
  return [
    ...findPairFaults(plan.comparisons, known),
    ...findStoppingFaults(stopping, processesPerItem, all.length).map((fault) => ({
      ...fault,
      where: `protocol.${fault.where}`,
    })),
  ];
}

function notAsked({ name, stopping }: Protocol): string {
  return stopping === undefined
    ? `protocol ${name} has no stopping rule, so no comparisons are declared`
    : `protocol ${name} compares everything with the reference, so no comparisons are declared`;
}

function findPairFaults(
  comparisons: readonly (PlannedComparison | undefined)[],
  items: ReadonlySet<string>,
): Fault[] {
  const faults: Fault[] = [];
  const known = new Set<string>();
  comparisons.forEach((comparison, index) => {
    if (comparison === undefined) return;
    const where = `comparisons[${index}]`;
    for (const side of ['a', 'b'] as const) {
      if (!items.has(keyOfItem(comparison[side]))) {
        faults.push({ where: `${where}.${side}`, what: 'no item of the plan' });
      }
    }
    const { a, b } = comparison;
    if (a.phase !== b.phase) {
      faults.push({ where, what: 'times of two phases are of different work' });
    }
    const keys = [keyOfItem(a), keyOfItem(b)].sort();
    if (keys[0] === keys[1]) faults.push({ where, what: 'compares an item with itself' });
    const key = keys.join();
    if (known.has(key)) faults.push({ where, what: 'the same comparison stands here twice' });
    known.add(key);
  });
  return faults;
}
