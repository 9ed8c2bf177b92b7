import { expect, test } from 'vitest';
import { createRandom } from '../../src/random.ts';
import type { Candidate } from '../../src/space/candidates.ts';
import { chooseMaximin, closestPairDistance } from '../../src/space/maximin.ts';

const architecture = {
  headDim: 64,
  headCount: 8,
  kvHeadCount: 8,
  feedForwardLength: 1536,
  layerCount: 8,
  vocabularySize: 32_000,
};
const at = (level: number, size: number): Candidate => ({
  architecture,
  parameterCount: 1,
  levels: [level],
  size,
});

test('distance counts that a level differs, how far, and the size twice', () => {
  expect(closestPairDistance([at(0, 100), at(0, 350)])).toBe(500);
  expect(closestPairDistance([at(0, 100), at(400, 100)])).toBe(1400);
  expect(closestPairDistance([at(0, 0), at(1000, 1000)])).toBe(4000);
});

test('from any seed the farthest choice of nine candidates is found', () => {
  const strata = [0, 400, 800].map((size) => [0, 500, 1000].map((level) => at(level, size)));
  for (let seed = 0; seed < 20; seed++) {
    const chosen = chooseMaximin(strata, createRandom(`maximin/${seed}`));
    // Three different levels: neighbours in size lie 800 apart in size and 1500 or 2000 in level.
    // With one level twice, the two lie 1600 apart at most.
    expect(closestPairDistance(chosen)).toBe(2300);
    expect(new Set(chosen.map(({ levels }) => levels[0])).size).toBe(3);
  }
});

test('one candidate comes from each stratum, in the order of the strata', () => {
  const strata = [[at(0, 0)], [at(0, 10), at(1000, 10)], [at(0, 20)]];
  const chosen = chooseMaximin(strata, createRandom('strata'));
  expect(chosen.map(({ size }) => size)).toEqual([0, 10, 20]);
  expect(chosen[1]!.levels).toEqual([1000]);
});
