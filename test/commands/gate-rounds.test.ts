import { expect, test } from 'vitest';
import { chooseRounds } from '../../src/commands/gate-measure.ts';
import { summarisePilot } from '../../src/protocol/budget-pilot.ts';

const process = { overheadNs: 1e9, wallNs: [1e9, 1e9, 1e9], prepareNs: [0, 0, 0] };
/** A start of 1 s, and repetitions of 1 s. */
const pilot = summarisePilot({ processes: [process, process] });
const fixed = { warmup: 0, kept: 3 };

test('as many rounds are planned as fit into 95 % of the time', () => {
  // three items of 1 s + 3 x 1 s are 12 s a round; 0.95 x 130 s are 123.5 s
  const choice = chooseRounds([pilot, pilot, pilot], { leftNs: 130e9, fewest: 7, fixed });
  expect(choice).toMatchObject({ rounds: 10, warmup: 0, kept: 3, roundNs: 12e9 });
});

test('more than 100 rounds are not planned, unless fewer decide nothing', () => {
  const choose = (fewest: number) => chooseRounds([pilot], { leftNs: 1e15, fewest, fixed }).rounds;
  expect(choose(7)).toBe(100);
  expect(choose(120)).toBe(120);
});

test('repetitions give way to rounds, unless they were asked for', () => {
  const free = { warmup: 0, kept: null };
  const steady = { ...process, wallNs: [1e9, 1.1e9, 0.9e9, 1e9], prepareNs: [0, 0, 0, 0] };
  const long = summarisePilot({ processes: [{ ...steady, overheadNs: 4e9 }] });
  // start 4 s, repetitions 1 s: an even split keeps 4, so that a round takes 8 s
  expect(chooseRounds([long], { leftNs: 80e9, fewest: 7, fixed: free })).toMatchObject({
    kept: 4,
    rounds: 9,
  });
  // 0.95 x 48 s are 45.6 s: seven rounds of 6 s fit, of 7 s not
  expect(chooseRounds([long], { leftNs: 48e9, fewest: 7, fixed: free })).toMatchObject({
    kept: 2,
    rounds: 7,
  });
  expect(
    chooseRounds([long], { leftNs: 48e9, fewest: 7, fixed: { warmup: 0, kept: 4 } }).rounds,
  ).toBe(5);
});

test('what the fewest rounds take is said when they do not fit', () => {
  // 7 rounds of 1 s + 3 x 1 s are 28 s, which are 95 % of 29.47 s
  const choice = chooseRounds([pilot], { leftNs: 20e9, fewest: 7, fixed });
  expect(choice.rounds).toBe(4);
  expect(choice.leastNs / 1e9).toBeCloseTo(29.4737, 4);
  expect(chooseRounds([pilot], { leftNs: -1, fewest: 7, fixed }).rounds).toBe(0);
});
