import { expect, test } from 'vitest';
import { chooseBenchCounts } from '../../src/commands/bench-counts.ts';
import type { PilotItem } from '../../src/protocol/budget.ts';

/** 1 s to start, 0.5 s a repetition: with 1 warm-up and 2 kept 2.5 s, with 1 kept 2 s. */
const item: PilotItem = {
  processes: [0, 1].map(() => ({
    overheadNs: 1e9,
    wallNs: [5e8, 5e8, 5e8, 5e8],
    prepareNs: [0, 0, 0, 0],
  })),
};

async function choose(changes: Partial<Parameters<typeof chooseBenchCounts>[0]>, cells: number) {
  const lines: string[] = [];
  const counts = await chooseBenchCounts(
    {
      items: Array.from({ length: cells }, () => item),
      modelBytes: Array.from({ length: cells }, () => 1e9),
      fixed: { processes: null, warmup: null, kept: null },
      budgetNs: null,
      protocolName: 'bench',
      assumeYes: true,
      cells,
      again: 'the same command with --name mine',
      ...changes,
    },
    { say: (line) => lines.push(line), show: () => undefined, done: () => undefined },
  );
  return { counts, lines, told: lines.filter((line) => /choosing among/i.test(line)) };
}

test('a sweep gets as many processes as choosing among its cells takes, where the budget affords it', async () => {
  // 7 cells take 9 processes: 9 x 7 x 2 s = 126 s, of 95 % of 140 s = 133 s; 2 kept would be 157.5 s
  const { counts, told } = await choose({ budgetNs: 140e9 }, 7);
  expect(counts).toEqual({ processes: 9, warmup: 1, kept: 1 });
  expect(told).toEqual([
    'Choosing among the 7 cells of a test takes 9 processes of each: there are 9.',
  ]);
});

test('without a budget it gets them too: 40 cells take 11, one more than usual', async () => {
  const fixed = { processes: null, warmup: null, kept: 1 };
  // 11 x 40 x (0.02 + 0.04) s
  const quick: PilotItem = {
    processes: [0, 1].map(() => ({ overheadNs: 2e7, wallNs: [2e7, 2e7], prepareNs: [0, 0] })),
  };
  const items = Array.from({ length: 40 }, () => quick);
  const { counts } = await choose({ fixed, items }, 40);
  expect(counts).toMatchObject({ processes: 11, kept: 1 });
});

test('where the budget does not afford it, that is said before, with the time that does', async () => {
  // 6 x 7 x 2 s = 84 s fit into 114 s; 9 x 7 x 2 s = 126 s do not: over 0.95 that is 132.6 s
  const { counts, told } = await choose({ budgetNs: 120e9 }, 7);
  expect(counts?.processes).toBeLessThan(9);
  expect(told).toEqual([
    `CAREFUL: choosing among the 7 cells of a test takes 9 processes of each; with ${counts?.processes} the heat map can tell no cell from the best. 2 min 06 s would do: --budget 133s.`,
  ]);
  const fixed = { processes: 5, warmup: 0, kept: 1 };
  const few = await choose({ fixed }, 7);
  // 9 x 7 x 1.5 s = 94.5 s
  expect(few.told[0]).toContain('with 5 the heat map');
  expect(few.told[0]).toContain('1 min 35 s would do: --processes 9 --budget 100s.');
});

test('of fewer variants than a heat map has nothing is said', async () => {
  expect((await choose({}, 3)).told).toEqual([]);
});

test('a refusal says what --budget would do, and with which name the pilot is used again', async () => {
  await expect(choose({ budgetNs: 20e9, assumeYes: false }, 7)).rejects.toMatchObject({
    message: expect.stringContaining('the budget is too short: this takes about 1 min 24 s'),
    // 84 s / 0.95
    hint: expect.stringContaining(
      '--yes to go on, or --budget 89s (6 processes of each item fit); the same command with --name mine uses the pilot again',
    ),
  });
});
