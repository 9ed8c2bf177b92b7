import { expect, test } from 'vitest';
import { sayTimeLeft } from '../../src/commands/tokens-time.ts';
import { planTrials } from '../../src/protocol/schedule.ts';
import { stepPlan } from '../support/step-campaign.ts';

/** Six rounds of two items; what is said while those of `seconds` are observed. */
function listSaid(seconds: readonly number[], from = 0): string[] {
  const said: string[] = [];
  const progress = { say: (words: string) => said.push(words), show: () => {}, done: () => {} };
  const plan = stepPlan();
  const trials = planTrials(plan);
  const observe = sayTimeLeft(plan, 'the same command goes on', progress);
  for (const [place, taken] of seconds.entries()) {
    const trial = from + place;
    const entry = { trial, processNs: taken * 1e9, harnessNs: 0, idleWaitNs: 0 };
    observe(trials[trial]!.item, entry as Parameters<typeof observe>[1]);
  }
  return said;
}

test('the first process says how long the others take, and the first round better', () => {
  // 11 of 10 s; then 5 rounds of 10 and 50 s
  expect(listSaid([10, 50, 10, 10])).toEqual([
    '11 processes left: about 1 min 50 s if they are like the first one',
    '10 processes left: about 5 min 00 s if they are like the first of each item',
  ]);
});

test('what is long says that it can be stopped', () => {
  expect(listSaid([82])).toEqual([
    '11 processes left: about 15 min 02 s if they are like the first one; Ctrl-C stops, the same command goes on',
  ]);
});

test('of what was begun before, only the rest is told, and nothing when there is none', () => {
  expect(listSaid([10], 10)).toEqual([
    '1 process left: about 10.0 s if they are like the first one',
  ]);
  expect(listSaid([10], 11)).toEqual([]);
});
