import { expect, test } from 'vitest';
import { listLowerRanks, projectTrialsNeeded } from '../../src/analysis/trials-needed.ts';

test('the ranks are exactly those of the integers, for every n to 10,000', () => {
  const ranks = listLowerRanks(10_000);
  const wrong: number[] = [];
  // 40 (sum_{k<=l} C(n,k)) <= 2^n: one side may miss with 1/40.
  let rank = 0;
  let below = 0n;
  let atRank = 1n;
  for (let n = 1; n <= 10_000; n++) {
    const beforeRank = rank === 0 ? 0n : (atRank * BigInt(rank)) / BigInt(n - rank);
    below = 2n * below - beforeRank;
    atRank += beforeRank;
    if (40n * (below + atRank) <= 1n << BigInt(n)) {
      below += atRank;
      atRank = (atRank * BigInt(n - rank)) / BigInt(rank + 1);
      rank += 1;
    }
    if (ranks[n] !== rank) wrong.push(n);
  }
  expect(wrong).toEqual([]);
  expect([...ranks.slice(6, 31)]).toEqual([
    1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 8, 8, 8, 9, 9, 10,
  ]);
});

test('ends that lie 10 % out reach 5 % when their quantile is halfway to the next trial', () => {
  // Halfway between the first and the second: 1.5/7 = .214. 3/13 is more, but 3/15 is less again; from
  // 4/16 on none is.
  const sorted = [90, 100, 100, 100, 100, 110];
  expect(projectTrialsNeeded(sorted, 100, 0.05, 6)).toBe(15);
  expect(projectTrialsNeeded(sorted, 100, 0.05, 15)).toBe(16);
  expect(projectTrialsNeeded(sorted, 100, 0.1, 0)).toBe(6);
});

test('a far end on one side counts as much as on the other', () => {
  expect(projectTrialsNeeded([100, 100, 100, 100, 100, 110], 100, 0.05, 6)).toBe(15);
  expect(projectTrialsNeeded([90, 100, 100, 100, 100, 100], 100, 0.05, 6)).toBe(15);
});

test('a median between two speeds is not reached with 10,000 trials', () => {
  const sorted = [100, 100, 100, 100, 100, 200, 200, 200, 200, 200];
  expect(projectTrialsNeeded(sorted, 150, 0.05, 10)).toBeNull();
});
