import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RooflawError } from '../../src/errors.ts';
import type { Space } from '../../src/formats/space.ts';
import { feedForwardLengthOf } from '../../src/space/candidates.ts';
import { findSpaceFaults } from '../../src/space/constraints.ts';
import { designSpace } from '../../src/space/design.ts';
import { findDesignFaults } from '../../src/space/design-faults.ts';
import { formatSpace } from '../../src/space/format-space.ts';
import { countParameters } from '../../src/space/parameters.ts';
import { readSpace } from '../../src/space/shipped.io.ts';
import { describeDesign, standardDesign } from '../../src/space/standard-design.ts';

const request = (seed: number) => ({
  ...standardDesign,
  seed,
  name: 'llama-25',
  description: describeDesign(25),
  weightSeed: 1,
});

function countLevels(space: Space, levelOf: (one: Space['architectures'][number]) => number) {
  const counts = new Map<number, number>();
  for (const architecture of space.architectures) {
    const level = levelOf(architecture);
    counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a - b);
}

test('seed 1 gives the shipped llama-25 to the byte', () => {
  const shipped = readFileSync(new URL('../../spaces/llama-25.json', import.meta.url), 'utf8');
  expect(formatSpace(designSpace(request(1)))).toBe(shipped);
});

test('llama-25 uses every level of every axis', () => {
  const space = readSpace('llama-25');
  expect(countLevels(space, (one) => one.headDim)).toEqual([
    [32, 8],
    [64, 5],
    [96, 5],
    [128, 7],
  ]);
  expect(countLevels(space, (one) => one.headCount).map(([level]) => level)).toEqual([
    4, 8, 12, 16, 24, 32,
  ]);
  expect(countLevels(space, (one) => one.headCount / one.kvHeadCount)).toEqual([
    [1, 8],
    [2, 6],
    [4, 5],
    [8, 6],
  ]);
  expect(countLevels(space, (one) => one.layerCount).map(([level]) => level)).toEqual([
    4, 8, 12, 16, 24, 32,
  ]);
});

test('any seed gives a sound space whose sizes are spread over the whole range', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 2 ** 32 - 1 }), (seed) => {
      const space = designSpace(request(seed));
      expect(findSpaceFaults(space)).toEqual([]);
      expect(space.architectures).not.toEqual(readSpace('llama-25').architectures);
      const counts = space.architectures.map(countParameters);
      expect(counts).toEqual([...counts].sort((a, b) => a - b));
      expect(counts[0]).toBeGreaterThanOrEqual(20_000_000);
      expect(counts.at(-1)).toBeLessThanOrEqual(1_500_000_000);
      // Two of 25 strata of equal width are a factor of 75^(2/25) = 1.41 wide, and 1.65 where the
      // scale, drawn straight between powers of two, is steepest.
      counts.slice(1).forEach((count, index) => {
        expect(count / counts[index]!).toBeLessThan(1.65);
      });
    }),
    { numRuns: 10 },
  );
});

test('strata that no architecture falls into are all named', () => {
  const narrow = { ...request(1), architectureCount: 3 };
  const axes = { headDim: [64], headCount: [8], gqaRatio: [1], mlpRatio: [3], layerCount: [4, 8] };
  try {
    designSpace({ ...narrow, axes });
    expect.unreachable();
  } catch (error) {
    expect((error as RooflawError).faults.map(({ where }) => where)).toEqual([
      'stratum 2 of 3',
      'stratum 3 of 3',
    ]);
    expect(error).toBeInstanceOf(RooflawError);
  }
});

test('the feed-forward length is the nearest multiple of 32, half upwards', () => {
  expect(feedForwardLengthOf(2.75, 1024)).toBe(2816);
  expect(feedForwardLengthOf(2.75, 384)).toBe(1056);
  expect(feedForwardLengthOf(3.5, 96)).toBe(352); // 336 lies between 320 and 352
  expect(feedForwardLengthOf(0.01, 64)).toBe(32);
});

test('a designed space that was edited by hand no longer tells the truth', () => {
  const space = readSpace('llama-25');
  expect(findDesignFaults(space)).toEqual([]);
  const [first, ...rest] = space.architectures;
  const edited = { ...space, architectures: [{ ...first!, layerCount: 5 }, ...rest] };
  expect(findDesignFaults(edited).map(({ where }) => where)).toEqual(['design']);
  expect(findDesignFaults({ ...edited, design: null })).toEqual([]);
});
