import { expect, test } from 'vitest';
import { agreesToTime, offerFewerRounds } from '../../src/commands/ab-consent.ts';

test.each([
  // 900 s hold 30 rounds of 30 s
  [30, 7, '--max-rounds 30'],
  [31, 7, '--max-rounds 29'],
  // 6 rounds of 150 s can decide nothing where 7 are needed
  [150, 7, null],
  [128, 7, '--max-rounds 7'],
])('of rounds of %d s, of which %d are needed, is offered %s', (seconds, fewestRounds, offer) => {
  expect(offerFewerRounds({ roundNs: seconds * 1e9, maxRounds: 1000, fewestRounds })).toBe(offer);
});

test('a quarter of an hour is not asked about', async () => {
  const progress = { say: () => {}, show: () => {}, done: () => {} };
  const longest = { roundNs: 30e9, maxRounds: 30, fewestRounds: 7 };
  expect(await agreesToTime(longest, progress)).toBe(true);
  if (process.stdin.isTTY && process.stderr.isTTY) return;
  await expect(agreesToTime({ ...longest, maxRounds: 31 }, progress)).rejects.toThrow(
    'this takes up to 15 min 30 s, less where everything is decided before round 31, and nobody can be asked',
  );
});
