import { expect, test } from 'vitest';
import type { Architecture } from '../../src/formats/architecture.ts';
import { countKvBytes, countParameters, countWeightBytes } from '../../src/space/parameters.ts';

const mid: Architecture = {
  name: 'mid',
  headDim: 64,
  headCount: 16,
  kvHeadCount: 8,
  feedForwardLength: 2816,
  layerCount: 16,
  vocabularySize: 32_000,
};

test('parameters are counted exactly, norms included', () => {
  // embedding and output 2 x 32000 x 1024; a layer: q and output 2 x 1024^2, k and v 2 x 1024 x 512,
  // feed-forward 3 x 1024 x 2816, two norms; the last norm
  expect(countParameters(mid)).toBe(65_536_000 + 16 * (3_145_728 + 8_650_752 + 2048) + 1024);
});

test('weight bytes are those of blocks of 32, and four for each element of a norm', () => {
  const matrixWeights = 65_536_000 + 16 * (3_145_728 + 8_650_752);
  const normBytes = 4 * (16 * 2048 + 1024);
  expect(countWeightBytes(mid, 'F16')).toBe(matrixWeights * 2 + normBytes);
  expect(countWeightBytes(mid, 'Q8_0')).toBe((matrixWeights / 32) * 34 + normBytes);
  expect(countWeightBytes(mid, 'Q4_0')).toBe((matrixWeights / 32) * 18 + normBytes);
});

test('a KV cache holds a key and a value of every KV head, layer and token', () => {
  expect(countKvBytes(mid, 512)).toBe(2 * 16 * 8 * 64 * 512 * 2);
  expect(countKvBytes(mid, 512, 4)).toBe(2 * 16 * 8 * 64 * 512 * 4);
});
