import { expect, test } from 'vitest';
import { countCells, describeCells, processesForCells } from '../../src/protocol/budget-cells.ts';
import { benchPlan, decode16, prefill64, variant } from '../support/variant-plan.ts';

test('the cells of a plan are the variants of one test, not its items', () => {
  const variants = [1, 2, 3].map((threads) => variant(`t${threads}`, { threads }));
  expect(countCells(benchPlan(variants, { tests: [prefill64, decode16] }))).toBe(3);
  expect(countCells(benchPlan(null))).toBe(1);
});

test('an interval of the least and the greatest needs 2 / 2^n of at most 0.05 / cells', () => {
  // 2^7 = 128 < 4 x 40 = 160 <= 2^8; 40 x 6 = 240; 40 x 7 = 280; 40 x 25 = 1,000; 40 x 26 = 1,040
  expect([4, 6, 7, 25, 26].map(processesForCells)).toEqual([8, 8, 9, 10, 11]);
});

test('it is said how many processes a choice takes and whether they are there', () => {
  expect(describeCells(4, 10, null)).toBe(
    'Choosing among the 4 cells of a test takes 8 processes of each: there are 10.',
  );
  expect(describeCells(12, 6, { ns: 200e9, option: '--budget 211s' })).toBe(
    'CAREFUL: choosing among the 12 cells of a test takes 9 processes of each; with 6 the heat map can tell no cell from the best. 3 min 20 s would do: --budget 211s.',
  );
  expect(describeCells(12, 6, null)).toContain('. --processes 9 would do.');
});
