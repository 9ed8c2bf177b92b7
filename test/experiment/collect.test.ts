import { expect, test } from 'vitest';
import { createExperimentCollector } from '../../src/experiment/collect.ts';
import { arm, smallExperiment, smallExperimentPlan } from '../support/experiment-plan.ts';
import { buildLedger, buildPlan, createLedger } from '../support/ledger-builder.ts';

const plan = smallExperimentPlan(
  smallExperiment({
    arms: [arm('short'), arm('long', { repetitions: { warmup: 3, kept: 4 } })],
    blocks: 6,
  }),
);
const collect = (entries: ReturnType<typeof createLedger>['entries']) => {
  const collector = createExperimentCollector();
  for (const entry of entries) collector.take(entry);
  return collector.finish();
};

/** Every process told by its place: 1 for the first condition, 2 for the second; the longer arm 10 more. */
const told = buildLedger(plan, ({ item, model, round }) => {
  const place = model.sha256.startsWith('1') ? 1 : 2;
  return [100 * round + place + (item.variant === 'long' ? 10 : 0)];
});

test('every process is in the condition, the arm and the block that were planned for it', () => {
  const { groups, complete } = collect(told)!;
  expect(complete).toBe(true);
  const walls = groups.map(({ arms }) =>
    arms.map(({ arm: { name }, processes }) => [
      name,
      processes.map((run) => run.state === 'observed' && run.entry.repetitions[0]!.wallNs),
    ]),
  );
  expect(walls).toEqual([
    [
      ['short', [1, 101, 201, 301, 401, 501]],
      ['long', [11, 111, 211, 311, 411, 511]],
    ],
    [
      ['short', [2, 102, 202, 302, 402, 502]],
      ['long', [12, 112, 212, 312, 412, 512]],
    ],
  ]);
});

test('conditions are named without their arm, and an arm keeps as many repetitions as it says', () => {
  const { groups } = collect(told)!;
  expect(groups.map(({ item }) => Object.hasOwn(item, 'variant'))).toEqual([false, false]);
  expect(groups[0]!.arms.map(({ kept }) => kept)).toEqual([2, 4]);
});

test('a process that failed keeps its block, and one that was not measured yet is not there', () => {
  const ledger = createLedger(plan);
  for (const { trial, round } of ledger.schedule) {
    if (round === 0) ledger.observe(trial, [5]);
    if (round === 1) ledger.fail(trial, { message: 'no memory' });
  }
  const { groups, complete } = collect(ledger.entries)!;
  expect(complete).toBe(false);
  for (const { processes } of groups.flatMap(({ arms }) => arms))
    expect(processes).toMatchObject([
      { block: 0, state: 'observed' },
      { block: 1, state: 'failed', message: 'no memory' },
    ]);
});

test('a trial that was interrupted counts once, when it was measured', () => {
  const ledger = createLedger(plan);
  ledger.intend(0);
  ledger.add({ type: 'interrupted', trial: 0, attempt: 0, reason: 'harness-died', costNs: null });
  ledger.observe(0, [5], { attempt: 1 });
  const runs = collect(ledger.entries)!.groups.flatMap(({ arms }) =>
    arms.flatMap(({ processes }) => processes),
  );
  expect(runs).toMatchObject([{ state: 'observed', entry: { attempt: 1 } }]);
});

test('what the program noted is kept, and what a person wrote is not taken for it', () => {
  const ledger = createLedger(plan);
  ledger.add({ type: 'note', text: 'withheld here, perf stat: no perf', author: 'rooflaw' });
  ledger.add({ type: 'note', text: 'withheld here, says a person' });
  expect(collect(ledger.entries)!.notes).toEqual(['withheld here, perf stat: no perf']);
});

test('a campaign that declares no experiment is none, and neither is an empty ledger', () => {
  expect(collect(createLedger(buildPlan()).entries)).toBeNull();
  expect(collect([])).toBeNull();
});
