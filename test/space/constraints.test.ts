import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findArchitectureFaults, findSpaceFaults } from '../../src/space/constraints.ts';

const sound = {
  name: 'sound',
  headDim: 64,
  headCount: 8,
  kvHeadCount: 4,
  feedForwardLength: 1536,
  layerCount: 8,
  vocabularySize: 32_000,
};
const condition = { architecture: 'sound', quantization: 'Q8_0', sequenceLength: 512 } as const;
const placesOf = (change: object) =>
  findArchitectureFaults({ ...sound, ...change }, 'architectures[2]').map(({ where }) => where);

test('an architecture with whole blocks in every row has no fault', () => {
  const blocks = fc.integer({ min: 1, max: 8 });
  fc.assert(
    fc.property(blocks, blocks, blocks, blocks, (headBlocks, kvHeadCount, gqaRatio, rowBlocks) => {
      const faults = findArchitectureFaults(
        {
          ...sound,
          headDim: 32 * headBlocks,
          headCount: kvHeadCount * gqaRatio,
          kvHeadCount,
          feedForwardLength: 32 * rowBlocks,
        },
        'architecture',
      );
      expect(faults).toEqual([]);
    }),
  );
});

test('KV heads that do not divide the heads are a fault that names the divisors', () => {
  expect(findArchitectureFaults({ ...sound, kvHeadCount: 3 }, 'architectures[2]')).toEqual([
    {
      where: 'architectures[2].kvHeadCount',
      what: '3 does not divide headCount, 8',
      hint: 'use one of 1, 2, 4, 8',
    },
  ]);
});

test('a small head is a fault even where every row is whole', () => {
  expect(placesOf({ headDim: 16, headCount: 32, kvHeadCount: 16 })).toEqual([
    'architectures[2].headDim',
  ]);
});

test('a KV row that ends inside a block is a fault even where the embedding is whole', () => {
  const [fault] = findArchitectureFaults(
    { ...sound, headDim: 80, headCount: 4, kvHeadCount: 1 },
    'architectures[0]',
  );
  expect(fault).toEqual({
    where: 'architectures[0].headDim',
    what: 'headDim x kvHeadCount, the length of a row of the KV cache, is 80: not a multiple of 32',
    hint: 'quantization blocks fill a row of 96',
  });
});

test('all faults of an architecture come at once', () => {
  expect(placesOf({ headDim: 31, headCount: 7, kvHeadCount: 2, feedForwardLength: 1000 })).toEqual([
    'architectures[2].headDim', // odd
    'architectures[2].headDim', // below 32
    'architectures[2].kvHeadCount',
    'architectures[2].headDim', // embedding of 217
    'architectures[2].headDim', // KV row of 62
    'architectures[2].feedForwardLength',
  ]);
});

test('repeated names, dimensions and conditions and an unknown name come at once', () => {
  const faults = findSpaceFaults({
    architectures: [
      sound,
      { ...sound, layerCount: 4 },
      { ...sound, name: 'twin' },
      { ...sound, name: 'odd', headDim: 33, headCount: 32, kvHeadCount: 32 },
    ],
    conditions: [
      condition,
      { ...condition, sequenceLength: 128 },
      condition,
      { ...condition, architecture: 'absent' },
    ],
  });
  expect(faults.map(({ where, what }) => `${where}: ${what}`)).toEqual([
    'architectures[3].headDim: 33 is odd',
    'architectures[1].name: "sound" is also the name of architectures[0]',
    'architectures[2]: "twin" has the same dimensions as architectures[0]',
    'conditions[2]: is the same as conditions[0]',
    'conditions[3].architecture: there is no architecture "absent" in this space',
  ]);
});

test('an architecture that could not be read is not missed by the conditions', () => {
  expect(findSpaceFaults({ architectures: [undefined], conditions: [condition] })).toEqual([]);
});
