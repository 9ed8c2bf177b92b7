import { expect, test } from 'vitest';
import { estimateMemory, findMemoryFaults } from '../../src/gguf/memory-need.ts';

const facts = {
  weightBytes: 5_000_000_000,
  embeddingLength: 4096,
  headCount: 32,
  kvHeadsOfAllLayers: 32 * 8,
  keepsValues: true,
  slidingWindow: null,
  keyLength: 128,
  valueLength: 64,
  vocabularySize: 128_256,
};
const conditions = {
  contextSize: 1000,
  kvTypeK: 'F16',
  kvTypeV: 'F16',
  ubatch: 128,
  flashAttention: 'off',
  swaFull: false,
} as const;

test('the cache holds keys and values of every layer, for the context rounded up to 256', () => {
  // 32 layers x 8 heads x (128 x 2 + 64 x 2) bytes x 1024 tokens
  expect(estimateMemory(facts, conditions).kvBytes).toBe(100_663_296);
  expect(estimateMemory(facts, { ...conditions, contextSize: 1025 }).kvBytes).toBe(125_829_120);
});

test('keys and values have types of their own', () => {
  // 32 x 8 x (128 x 34/32 + 64 x 18/32) x 1024
  const quantized = { ...conditions, kvTypeK: 'Q8_0', kvTypeV: 'Q4_0' } as const;
  expect(estimateMemory(facts, quantized).kvBytes).toBe(45_088_768);
});

test('compute buffers hold logits, scores and the feed-forward block of one ubatch', () => {
  // 128 x 4 x (128,256 + 32 x 1024 + 8 x 4096 + 4 x 4096)
  const { computeBytes, totalBytes } = estimateMemory(facts, conditions);
  expect(computeBytes).toBe(107_610_112);
  expect(totalBytes).toBe(5_000_000_000 + 100_663_296 + 107_610_112);
});

test('latent attention keeps one key a token and no value', () => {
  // DeepSeek-V3: 61 layers x 1 head x (512 + 64) x 2 bytes x 131,072 tokens
  const latent = { kvHeadsOfAllLayers: 61, keepsValues: false, keyLength: 576, valueLength: 512 };
  const long = { ...conditions, contextSize: 131_072 };
  expect(estimateMemory({ ...facts, ...latent }, long).kvBytes).toBe(9_210_691_584);
});

test('with a sliding window the cache is known only where the whole context is kept', () => {
  const windowed = { ...facts, slidingWindow: 512 };
  expect(estimateMemory(windowed, conditions).kvBytes).toBeNull();
  expect(estimateMemory(windowed, { ...conditions, swaFull: true }).kvBytes).toBe(100_663_296);
});

test('flash attention keeps no scores', () => {
  // 128 x 4 x (128,256 + 8 x 4096 + 4 x 4096)
  expect(estimateMemory(facts, { ...conditions, flashAttention: 'on' }).computeBytes).toBe(
    90_832_896,
  );
});

test.each([
  { kvHeadsOfAllLayers: 0 },
  { kvHeadsOfAllLayers: null },
  { keyLength: null },
  { valueLength: null },
])('without %o the cache is unknown, and is not in the total', (change) => {
  const need = estimateMemory({ ...facts, ...change }, conditions);
  expect(need.kvBytes).toBeNull();
  expect(need.totalBytes).toBe(5_107_610_112);
});

test('without a vocabulary or an embedding the buffers are unknown', () => {
  for (const change of [{ vocabularySize: null }, { embeddingLength: null }]) {
    expect(estimateMemory({ ...facts, ...change }, conditions).computeBytes).toBeNull();
  }
});

test('a model that needs more than there is is a fault', () => {
  const need = estimateMemory(facts, conditions);
  expect(findMemoryFaults('m.gguf', need, need.totalBytes)).toEqual([]);
  expect(findMemoryFaults('m.gguf', need, 4e9)).toEqual([
    {
      where: 'm.gguf',
      what: 'needs about 5.2 GB (weights 5.0 GB), where 4.0 GB are there',
      hint: 'a device with more memory, a shorter context, or a smaller quantization',
    },
  ]);
});
