import { expect, test } from 'vitest';
import { listOtherDrifts } from '../../src/commands/bench-closing.ts';
import type { Analysis } from '../../src/formats/analysis.ts';
import { listItems } from '../../src/protocol/schedule.ts';
import { benchPlan, variant } from '../support/variant-plan.ts';

const plan = benchPlan(['t1', 't2'].map((name, at) => variant(name, { threads: at + 1 })));

/** Ten rounds, in which the items at `changes` end by that factor slower than they began. */
function withDrifts(changes: Readonly<Record<number, number>>): Analysis {
  const planned = listItems(plan);
  const items = planned.map(({ item, isReference }) => ({ ...item, isReference }));
  const trials = planned.flatMap((_, item) =>
    Array.from({ length: 10 }, (_, round) => ({
      item,
      round,
      trialMeanNs: 1_000_000.4 * (round < 5 ? 1 : (changes[item] ?? 1)),
    })).reverse(),
  );
  return { items, trials } as unknown as Analysis;
}

test('rows that drifted beside the first of their phase are counted, and the worst is named', () => {
  expect(listOtherDrifts(withDrifts({}), plan)).toEqual([]);
  expect(listOtherDrifts(withDrifts({ 2: 1.04 }), plan)).toEqual([]); // not above 5 %
  expect(listOtherDrifts(withDrifts({ 0: 3, 1: 3 }), plan)).toEqual([]); // the analysis tells of these
  expect(listOtherDrifts(withDrifts({ 2: 1.1 }), plan)).toEqual([
    'DRIFT of more than 5 % from the first rounds to the last, of the 2 other rows, in qwen Q4_K_M pp64 [t2] (+10.0 %)',
  ]);
  expect(listOtherDrifts(withDrifts({ 2: 1.1, 3: 0.5 }), plan)).toEqual([
    'DRIFT of more than 5 % from the first rounds to the last, of the 2 other rows, in 2 rows, most in qwen Q4_K_M tg16 [t2] (−50.0 %)',
  ]);
});
