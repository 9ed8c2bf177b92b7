import { expect, test } from 'vitest';
import { divideMemory, estimateMemory, findMemoryFaults } from '../../src/gguf/memory-need.ts';

const facts = {
  weightBytes: 5_000_000_000,
  layerCount: 32,
  layerBytes: Array.from({ length: 32 }, () => 140_000_000), // together 4,480,000,000
  inputBytes: 300_000_000, // which leaves 220,000,000 to the output
  kvHeadCount: 8,
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
  batch: 2048,
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

test('compute buffers hold the logits or the scores of one ubatch, whichever is more', () => {
  // 128 x 4 x 128,256 against 128 x 4 x 32 x 1024
  const { computeBytes, totalBytes } = estimateMemory(facts, conditions);
  expect(computeBytes).toBe(65_667_072);
  expect(totalBytes).toBe(5_000_000_000 + 100_663_296 + 65_667_072);
  // 128 x 4 x 32 x 8192
  const long = { ...conditions, contextSize: 8192 };
  expect(estimateMemory(facts, long).computeBytes).toBe(134_217_728);
  // without scores the logits are left, as where the window of a layer is not known
  const flash = { ...long, flashAttention: 'on' } as const;
  expect(estimateMemory(facts, flash).computeBytes).toBe(65_667_072);
  expect(estimateMemory({ ...facts, slidingWindow: 512 }, long).computeBytes).toBe(65_667_072);
});

test('an ubatch is no longer than the batch, and a batch no longer than the context', () => {
  // 8 x 4 x 128,256
  const long = { ...conditions, batch: 500_000, ubatch: 500_000, contextSize: 8 };
  expect(estimateMemory(facts, long).computeBytes).toBe(4_104_192);
  // 4 x 4 x 128,256
  expect(estimateMemory(facts, { ...long, batch: 4 }).computeBytes).toBe(2_052_096);
});

const offload = { ...conditions, gpuLayers: 'all', kvOffload: true } as const;
test('with all layers on a device, the embedding alone is with the host', () => {
  expect(divideMemory(facts, offload)).toEqual({
    device: {
      weightBytes: 4_700_000_000,
      kvBytes: 100_663_296,
      computeBytes: 65_667_072,
      totalBytes: 4_700_000_000 + 100_663_296 + 65_667_072,
    },
    host: { weightBytes: 300_000_000, kvBytes: 0, computeBytes: 0, totalBytes: 300_000_000 },
  });
  expect(divideMemory(facts, { ...offload, gpuLayers: 99 })).toEqual(divideMemory(facts, offload));
});

test('the last layers and the output are on the device, with their share of the cache', () => {
  // 9 are the output and 8 of 32 layers; scores are in both places, 128 x 4 x 32 x 1024
  const { device, host } = divideMemory(facts, { ...offload, gpuLayers: 9 });
  expect(device).toMatchObject({
    weightBytes: 8 * 140_000_000 + 220_000_000,
    kvBytes: 25_165_824,
    computeBytes: 65_667_072,
  });
  expect(host).toMatchObject({
    weightBytes: 24 * 140_000_000 + 300_000_000,
    kvBytes: 75_497_472,
    computeBytes: 16_777_216,
  });
  const uneven = { ...facts, layerBytes: facts.layerBytes.with(31, 150_000_000) };
  expect(divideMemory(uneven, { ...offload, gpuLayers: 2 }).device.weightBytes).toBe(
    150_000_000 + 210_000_000,
  );
  const none = divideMemory(facts, { ...offload, gpuLayers: 0 });
  expect(none.device.totalBytes).toBe(0);
  expect(none.host).toEqual(estimateMemory(facts, conditions));
});

test('the cache is with the host where it is not offloaded, and unknown where layers differ', () => {
  const kept = divideMemory(facts, { ...offload, kvOffload: false });
  expect([kept.device.kvBytes, kept.host.kvBytes]).toEqual([0, 100_663_296]);
  const some = { ...facts, kvHeadsOfAllLayers: 64 };
  const part = divideMemory(some, { ...offload, gpuLayers: 9 });
  expect([part.device.kvBytes, part.host.kvBytes]).toEqual([null, null]);
  // 64 x (128 x 2 + 64 x 2) x 1024
  expect(divideMemory(some, offload).device.kvBytes).toBe(25_165_824);
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

test.each([
  { kvHeadsOfAllLayers: 0 },
  { kvHeadsOfAllLayers: null },
  { keyLength: null },
  { valueLength: null },
])('without %o the cache is unknown, and is not in the total', (change) => {
  const need = estimateMemory({ ...facts, ...change }, conditions);
  expect(need.kvBytes).toBeNull();
  expect(need.totalBytes).toBe(5_065_667_072);
});

test('without a vocabulary the buffers are unknown', () => {
  const unknown = { ...facts, vocabularySize: null };
  expect(estimateMemory(unknown, conditions).computeBytes).toBeNull();
  expect(divideMemory(unknown, offload).device.computeBytes).toBeNull();
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
