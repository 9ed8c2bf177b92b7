import { expect, test } from 'vitest';
import { emptyState } from '../../src/campaign/resume.ts';
import { createRoundTimer } from '../../src/commands/gate-measure.ts';
import { measure } from '../../src/commands/measure.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import { fakePorts } from '../support/fake-ports.ts';
import { createFakeRunner, runnerLines } from '../support/fake-runner.ts';
import { sequentialPlan } from '../support/sequential-plan.ts';

const progress = { say: () => {}, show: () => {}, done: () => {} };

test('what ends a campaign between two rounds leaves the decision of the last one', async () => {
  const plan = sequentialPlan();
  const entries: LedgerEntry[] = [];
  const writer = {
    append: async (unchained: object) => {
      const entry = { ...unchained, seq: 0, prev: '', time: '' } as LedgerEntry;
      entries.push(entry);
      return entry;
    },
    close: async () => {},
  };
  // four items: the last trial of the second round fails
  const runner = createFakeRunner((_record, call, trial) =>
    call === 7 ? { exitStatus: 1 } : { lines: runnerLines(trial, () => 1_000_000) },
  );
  const ports = fakePorts({ runner });
  const state = emptyState(plan);
  const opened = { writer, state, notes: new Set<string>(), tornLine: null };
  const ending = measure(
    plan,
    opened as unknown as Parameters<typeof measure>[1],
    ports,
    progress,
    {
      onDecided: ({ round }) => {
        if (round === 1) throw new Error('the time is up');
      },
    },
  );
  await expect(ending).rejects.toThrow('the time is up');
  expect(entries.filter(({ type }) => type === 'intended')).toHaveLength(8);
  expect(entries.slice(-2)).toMatchObject([{ type: 'failed' }, { type: 'decision', round: 1 }]);
});

test('a gate ends after the round behind which the longest one would not fit again', () => {
  let now = 0;
  const timer = createRoundTimer(10, 100, () => now);
  const endsAt = (at: number, round: number, stop = false) => {
    now = at;
    timer.begin(); // of the trials before
    return timer.endsWith({ round, stop });
  };
  now = 10; // what comes before the first trial is not of a round
  timer.begin();
  expect(endsAt(40, 0)).toBe(false); // 30
  expect(endsAt(50, 1)).toBe(false); // 10
  expect(endsAt(70, 2)).toBe(false); // 70 + 30 are just 100
  expect(endsAt(71, 3)).toBe(true);
  expect(endsAt(71, 3, true)).toBe(false); // decided: it ends by itself
  expect(endsAt(71, 9)).toBe(false); // so it does after the last round
});
