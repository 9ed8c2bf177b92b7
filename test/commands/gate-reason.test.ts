import { expect, test } from 'vitest';
import { explainVerdict } from '../../src/commands/gate-reason.ts';
import type { AbPair, GateTest } from '../../src/formats/ab.ts';

const pair: AbPair = {
  aNs: 100_000_000,
  bNs: 102_000_000,
  aTokensPerSecond: 5120,
  bTokensPerSecond: 5019.6,
  ratio: 1.02,
  interval: { lower: 0.99, upper: 1.05 },
  pairs: 34,
  reason: null,
};
const open: GateTest = {
  name: 'pp512',
  phase: 'prefill',
  tokens: 512,
  depth: 0,
  verdict: 'inconclusive',
  fitness: 'fit',
  candidate: pair,
  again: { ...pair, ratio: 1, interval: { lower: 0.99, upper: 1.01 } },
};
const outside: AbPair = { ...pair, ratio: 0.7144, isMedianOutside: true };
const moved: GateTest = { ...open, name: 'tg64', phase: 'decode', candidate: outside };
const unsure: GateTest = { ...open, fitness: 'not-shown', again: pair };

const measured = { rounds: 34, plannedRounds: 34, isCutShort: false, failedTrials: 0 };
const bounds = { tookNs: 25e9, timeLimitNs: 60e9, earliestRounds: 7, mostRounds: 100 };
const allTime = { ...bounds, tookNs: 58e9 };
const unknown = 'whether the candidate is slower than was allowed is not known in';
const words =
  'the median lies outside of its interval: the ratio changed during the run (chance alone does this rarely), so neither of the two describes it';

test('more time is advised where the time ran out', () => {
  const tests = [open];
  expect(explainVerdict('inconclusive', { ...measured, tests }, allTime)).toBe(
    `${unknown} pp512; more --time would help`,
  );
  // a round that would not have ended in time was not begun
  expect(
    explainVerdict('inconclusive', { ...measured, rounds: 20, isCutShort: true, tests }, bounds),
  ).toBe(`${unknown} pp512; more --time would help`);
});

test('where time was left the planned rounds ran out, and another run plans more', () => {
  expect(explainVerdict('inconclusive', { ...measured, tests: [open] }, bounds)).toBe(
    `${unknown} pp512; the planned rounds ran out after 25.0 s of 1 min 00 s (the pilot was slower): run it again`,
  );
  expect(explainVerdict('unfit', { ...measured, tests: [unsure] }, bounds)).toBe(
    'on this machine base is not shown to be as fast as itself within what was allowed (pp512), so nothing is said about the candidate; the planned rounds ran out after 25.0 s of 1 min 00 s (the pilot was slower): run it again; a quieter machine or a larger --max-slowdown would help',
  );
});

test('where the most rounds that are planned were measured, more time does not help', () => {
  const most = { ...measured, rounds: 100, plannedRounds: 100, tests: [open] };
  expect(explainVerdict('inconclusive', most, bounds)).toBe(
    `${unknown} pp512; more than 100 rounds are not planned; a larger --kept would help`,
  );
});

test('a median outside of its interval is said, and more time is not advised for it', () => {
  expect(explainVerdict('inconclusive', { ...measured, tests: [moved] }, allTime)).toBe(
    `${unknown} tg64; in tg64 ${words}`,
  );
  expect(explainVerdict('inconclusive', { ...measured, tests: [open, moved] }, allTime)).toBe(
    `${unknown} pp512, tg64; more --time would help in pp512; in tg64 ${words}`,
  );
  const regression = { ...moved, verdict: 'regression' } as const;
  expect(explainVerdict('regression', { ...measured, tests: [regression] }, allTime)).toBe(
    `the candidate is slower than was allowed in tg64; in tg64 ${words}`,
  );
});

test('the same of base against itself', () => {
  const tests = [{ ...unsure, again: outside }];
  expect(explainVerdict('unfit', { ...measured, tests }, allTime)).toBe(
    `on this machine base is not shown to be as fast as itself within what was allowed (pp512), so nothing is said about the candidate; a quieter machine would help; in pp512 (A/A) ${words}`,
  );
});

test('intervals that have nothing in common have moved, too; too few pairs have not', () => {
  const none: AbPair = { ...pair, interval: null, reason: 'the intervals have nothing in common' };
  const tests = [{ ...open, candidate: none }];
  expect(explainVerdict('inconclusive', { ...measured, tests }, allTime)).toBe(
    `${unknown} pp512; in pp512 the intervals have nothing in common`,
  );
  const few = { ...open, candidate: { ...none, pairs: 6, reason: '6 pairs' } };
  expect(explainVerdict('inconclusive', { ...measured, tests: [few] }, allTime)).toBe(
    `${unknown} pp512; more --time would help`,
  );
});
