import { expect, test } from 'vitest';
import { createPilotForecast } from '../../src/commands/bench-pilot-forecast.ts';
import type { Progress } from '../../src/commands/progress.ts';
import { planTrials } from '../../src/protocol/schedule.ts';
import { benchPlan, prefill64, variant } from '../support/variant-plan.ts';

const variants = [
  variant('t1', { threads: 1, threadsBatch: 1 }),
  variant('t2', { threads: 2, threadsBatch: 2 }),
];
const pilot = benchPlan(variants, {
  tests: [prefill64],
  rules: { phases: ['prefill'], processes: 2, warmup: 0, kept: 10 },
});

/** Says what it says while trials of t1 take 60 s and those of t2 20 s. */
function listen(heard: readonly number[]): string[][] {
  const said: string[] = [];
  const progress: Progress = {
    say: (line) => said.push(line),
    show: () => undefined,
    done: () => undefined,
  };
  const hear = createPilotForecast(pilot, progress, true);
  const trials = planTrials(pilot);
  return heard.map((trial) => {
    const { item } = trials[trial]!;
    const processNs = item.variant === 't1' ? 58e9 : 18e9;
    hear(item, { trial, processNs, harnessNs: 1e9, idleWaitNs: 1e9 });
    return said.splice(0);
  });
}

test('after the first process of each item it is said, once, how long the pilot takes', () => {
  expect(listen([0, 1, 2, 3])).toEqual([
    [],
    ['the pilot takes about 1 min 20 s more for 2 trials; --budget is for the campaign after it'],
    [],
    [],
  ]);
});

test('it is said where a first one failed, and of the rest alone where a pilot goes on', () => {
  const last = planTrials(pilot)[3]!.item.variant;
  const [first] = listen([2]);
  const [said] = first!;
  expect(said).toContain('more for 1 trial;');
  // the other variant was not heard of: it is taken to cost the same
  expect(said).toContain(last === 't1' ? '20 s' : '1 min 00 s');
  expect(listen([3])).toEqual([[]]);
});
