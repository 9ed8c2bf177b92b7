import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/random.ts';
import { countPassingSubsets } from '../../src/stats/round-subsets.ts';
import { isStable } from '../../src/stats/stability.ts';

const random = createRandom('round-subsets');
const steady = (sums: readonly bigint[]) => sums.map((sum) => ({ sum, inTrialPasses: true }));
const tenRoundsWithBroken = (broken: number) =>
  Array.from({ length: 10 }, (_, round) => ({ sum: 100n, inTrialPasses: round >= broken }));

test('the worked items pass in 0, 1 or 2 of the ten subsets of three rounds', () => {
  // In lexicographic order 2, 1, 1, 1, 1, 0, 1, 1, 0, 0.
  const items = [
    [1000n, 1010n, 990n, 1000n, 1120n],
    [500n, 505n, 495n, 535n, 500n],
  ].map(steady);
  expect(countPassingSubsets(items, 3, 0.05, random)).toEqual({
    rounds: 5,
    size: 3,
    subsets: 10,
    isExhaustive: true,
    minimum: 0,
    maximum: 2,
    mean: 0.8,
    histogram: [3, 6, 1],
  });
});

test.each([
  [0, 120],
  [1, 84],
  [2, 56],
  [3, 35],
  [4, 20],
  [8, 0],
])('an item that %d of ten rounds break passes in %d of 120 subsets', (broken, passes) => {
  const result = countPassingSubsets([tenRoundsWithBroken(broken)], 3, 0.05, random)!;
  expect(result.histogram).toEqual([120 - passes, passes]);
  expect(result.mean).toBe(passes / 120);
});

test('a full set that passes does not promise that its subsets pass', () => {
  const item = steady([95n, 95n, ...new Array<bigint>(8).fill(100n)]);
  expect(countPassingSubsets([item], 10, 0.05, random)?.histogram).toEqual([0, 1]);
  // {95, 95, 100} has 5.263 %: once with each of the eight others.
  expect(countPassingSubsets([item], 3, 0.05, random)?.histogram).toEqual([8, 112]);
});

test('a range of exactly the limit passes and one unit more does not, however large the sums', () => {
  const large = 10n ** 20n;
  const item = (more: bigint) => steady([20n * large, 20n * large, 21n * large + more]);
  expect(countPassingSubsets([item(0n)], 3, 0.05, random)?.histogram).toEqual([0, 1]);
  expect(countPassingSubsets([item(1n)], 3, 0.05, random)?.histogram).toEqual([1, 0]);
});

test('a range of exactly 29 % passes at 29 %, which floating point denies', () => {
  expect(0.29 * 100).toBeLessThan(29);
  for (let k = 1n; k <= 200n; k++) {
    const item = steady([100n * k, 100n * k, 129n * k]);
    expect(countPassingSubsets([item], 3, 0.29, random)?.histogram).toEqual([0, 1]);
  }
});

test('every subset is judged as the stable flag judges it', () => {
  const rounds = fc.array(fc.integer({ min: 950, max: 1050 }), { minLength: 4, maxLength: 7 });
  fc.assert(
    fc.property(rounds, fc.integer({ min: 2, max: 4 }), (values, size) => {
      const sums = values.map(BigInt);
      let passes = 0;
      let subsets = 0;
      for (let mask = 0; mask < 1 << sums.length; mask++) {
        const chosen = sums.filter((_, round) => mask & (1 << round));
        if (chosen.length !== size) continue;
        subsets++;
        const trials = chosen.map((sum) => ({ sum, inTrialPasses: true }));
        if (isStable(trials, 0.05)) passes++;
      }
      expect(countPassingSubsets([steady(sums)], size, 0.05, random)?.histogram).toEqual([
        subsets - passes,
        passes,
      ]);
    }),
  );
});

test('too many subsets are sampled, and their mean share comes near that of all', () => {
  const item = Array.from({ length: 60 }, (_, round) => ({
    sum: 100n,
    inTrialPasses: round >= 6,
  }));
  const result = countPassingSubsets([item], 3, 0.05, createRandom('sampled'))!;
  expect([result.isExhaustive, result.subsets]).toEqual([false, 10_000]);
  // C(54,3) / C(60,3) = 24,804 / 34,220; four standard errors.
  expect(Math.abs(result.mean - 0.724839275)).toBeLessThan(0.018);
  expect(countPassingSubsets([item], 3, 0.05, createRandom('sampled'))).toEqual(result);
});

test('a sampled subset never holds a round twice', () => {
  // 9 of 18 rounds, of which 8 are good: no subset can pass.
  const item = Array.from({ length: 18 }, (_, round) => ({
    sum: 100n,
    inTrialPasses: round >= 10,
  }));
  expect(countPassingSubsets([item], 9, 0.05, createRandom('twice'))).toMatchObject({
    isExhaustive: false,
    maximum: 0,
  });
});

test('all 19,600 subsets of 50 rounds are looked at', () => {
  const item = steady(new Array<bigint>(50).fill(7n));
  expect(countPassingSubsets([item], 3, 0.05, random)).toMatchObject({
    subsets: 19_600,
    isExhaustive: true,
    histogram: [0, 19_600],
  });
});

test('without items, with one round or with fewer rounds than asked for there is no answer', () => {
  expect(countPassingSubsets([], 3, 0.05, random)).toBeNull();
  expect(countPassingSubsets([steady([1n, 1n])], 3, 0.05, random)).toBeNull();
  expect(countPassingSubsets([steady([1n, 1n])], 1, 0.05, random)).toBeNull();
});
