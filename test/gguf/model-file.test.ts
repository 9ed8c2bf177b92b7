import { expect, test } from 'vitest';
import type { ModelPart } from '../../src/gguf/measure-part.ts';
import { collectFacts, listPartNames } from '../../src/gguf/model-file.ts';
import { readHeader } from '../../src/gguf/read-header.ts';
import {
  array,
  encodeFile,
  llamaPairs,
  type RawFile,
  type RawTensor,
  string,
  uint32,
  type Value,
} from './gguf-bytes.ts';

function partOf(file: RawFile, name = 'a.gguf'): ModelPart {
  const bytes = encodeFile(file);
  const steps = readHeader(bytes.length);
  steps.next();
  const { value, done } = steps.next(bytes);
  if (!done || value.state !== 'read') throw new Error('no sound header');
  return { name, bytes: bytes.length, header: value.header };
}

const oneTensor: RawTensor[] = [{ name: 'token_embd.weight', shape: [64, 10], type: 0, offset: 0 }];

function factsOf(pairs: Record<string, Value>, tensors = oneTensor, dataBytes = 64 * 10 * 4) {
  const { facts, faults } = collectFacts([partOf({ pairs, tensors, dataBytes })]);
  expect(faults).toEqual([]);
  return facts!;
}

function faultsOf(file: RawFile): string[] {
  const { facts, faults } = collectFacts([partOf(file)]);
  expect(facts === null).toBe(faults.length > 0);
  return faults.map(({ where, what }) => `${where}: ${what}`);
}

test('a mixture of experts in K-quants', () => {
  // 256 x 512 x 8 in Q4_K: 4096 blocks of 144; 256 x 512 in Q6_K: 512 blocks of 210; 256 floats
  const tensors = [
    { name: 'blk.0.ffn_gate_exps.weight', shape: [256, 512, 8], type: 12, offset: 0 },
    { name: 'token_embd.weight', shape: [256, 512], type: 14, offset: 589_824 },
    { name: 'output_norm.weight', shape: [256], type: 0, offset: 697_344 },
  ];
  const part = partOf({
    pairs: {
      'general.architecture': string('qwen3moe'),
      'general.type': string('model'),
      'general.name': string('A\u001b[31m Mixture\n'),
      'general.file_type': uint32(15),
      'qwen3moe.block_count': uint32(48),
      'qwen3moe.context_length': uint32(40_960),
      'qwen3moe.embedding_length': uint32(256),
      'qwen3moe.attention.head_count': uint32(32),
      'qwen3moe.attention.head_count_kv': uint32(4),
      'qwen3moe.attention.key_length': uint32(128),
      'qwen3moe.attention.value_length': uint32(64),
      'qwen3moe.expert_count': uint32(128),
      'qwen3moe.expert_used_count': uint32(8),
      'tokenizer.ggml.tokens': array('string', [string('a'), string('b')]),
    },
    tensors,
    dataBytes: 698_368,
  });
  expect(collectFacts([part])).toEqual({
    faults: [],
    notChecked: [],
    facts: {
      file: 'a.gguf',
      parts: [{ name: 'a.gguf', bytes: part.bytes }],
      family: 'qwen3moe',
      title: 'A\ufffd[31m Mixture',
      quantization: 'Q4_K_M',
      layerCount: 48,
      contextLength: 40_960,
      embeddingLength: 256,
      headCount: 32,
      kvHeadCount: 4,
      kvHeadsOfAllLayers: 192,
      keepsValues: true,
      slidingWindow: null,
      keyLength: 128,
      valueLength: 64,
      vocabularySize: 2,
      positionCount: null,
      expertCount: 128,
      expertUsedCount: 8,
      parameterCount: 1_048_576 + 131_072 + 256,
      weightBytes: 589_824 + 107_520 + 1024,
      layerBytes: [589_824, 0, 0], // as many as there are tensors, however many layers are claimed
      inputBytes: 107_520,
      tensorCount: 3,
      fileBytes: part.bytes,
    },
  });
});

test('KV heads of all layers: one number for each, their sum where it differs, else unknown', () => {
  const headCount = { 'llama.attention.head_count': uint32(8) };
  expect(factsOf({ ...llamaPairs, ...headCount }).kvHeadsOfAllLayers).toBe(16);
  const some = array('int32', [{ int32: 0 }, { int32: 4 }]);
  const each = { ...headCount, 'llama.attention.head_count_kv': some };
  expect(factsOf({ ...llamaPairs, ...each }).kvHeadsOfAllLayers).toBe(4);
  // Some layers are recurrent, and only the family knows which.
  const hybrid = { ...llamaPairs, ...headCount, 'llama.ssm.state_size': uint32(128) };
  expect(factsOf(hybrid).kvHeadsOfAllLayers).toBeNull();
  expect(factsOf({ ...hybrid, ...each }).kvHeadsOfAllLayers).toBe(4);
  expect(factsOf(llamaPairs).kvHeadsOfAllLayers).toBeNull();
});

test('latent attention keeps no values, and a sliding window is a length in tokens', () => {
  const latent = { ...llamaPairs, 'llama.attention.value_length_mla': uint32(128) };
  expect(factsOf(latent).keepsValues).toBe(false);
  const key = 'llama.attention.sliding_window';
  expect(factsOf({ ...llamaPairs, [key]: uint32(4096) }).slidingWindow).toBe(4096);
  expect(factsOf({ ...llamaPairs, [key]: uint32(0) }).slidingWindow).toBeNull();
});

test('what does not decode token by token is no model to measure', () => {
  const causal = (bool: boolean) => ({ ...llamaPairs, 'llama.attention.causal': { bool } });
  expect(faultsOf({ pairs: causal(false), tensors: oneTensor, dataBytes: 2560 })).toEqual([
    expect.stringMatching(/^metadata "llama\.attention\.causal": is false: /),
  ]);
  expect(faultsOf({ pairs: causal(true), tensors: oneTensor, dataBytes: 2560 })).toEqual([]);
  const t5 = { 'general.architecture': string('t5encoder'), 't5encoder.block_count': uint32(2) };
  expect(faultsOf({ pairs: t5, tensors: oneTensor, dataBytes: 2560 })).toEqual([
    expect.stringMatching(/^metadata "general\.architecture": "t5encoder" decodes only what /),
  ]);
});

test('what a file does not say is null, or what llama.cpp takes instead', () => {
  expect(factsOf(llamaPairs)).toMatchObject({
    title: null,
    quantization: 'F32',
    contextLength: null,
    embeddingLength: null,
    headCount: null,
    kvHeadCount: null,
    keyLength: null,
    valueLength: null,
    vocabularySize: 10,
    expertCount: null,
    expertUsedCount: null,
  });
  const pairs = {
    ...llamaPairs,
    'llama.embedding_length': uint32(100),
    'llama.attention.head_count': uint32(3),
    'llama.vocab_size': uint32(12),
  };
  expect(factsOf(pairs)).toMatchObject({
    headCount: 3,
    kvHeadCount: 3,
    keyLength: 33,
    valueLength: 33,
    vocabularySize: 12,
  });
});

test('where layers differ, the largest counts', () => {
  const pairs = {
    ...llamaPairs,
    'llama.attention.head_count': array('int32', [{ int32: 8 }, { int32: 24 }, { int32: 16 }]),
    'llama.attention.head_count_kv': array('uint32', [uint32(0), uint32(4)]),
  };
  expect(factsOf(pairs)).toMatchObject({ headCount: 24, kvHeadCount: 4 });
});

test('a file type without a label gives way to the type of most bytes', () => {
  const tensors = [
    { name: 'a', shape: [64, 16], type: 0, offset: 0 },
    { name: 'b', shape: [256, 40], type: 10, offset: 4096 },
    { name: 'c', shape: [256, 40], type: 10, offset: 7456 },
  ];
  // 4096 bytes in F32, 2 x 3360 in Q2_K
  const pairs = { ...llamaPairs, 'general.file_type': uint32(5) };
  expect(factsOf(pairs, tensors, 10_816).quantization).toBe('Q2_K');
  const guessed = { ...llamaPairs, 'general.file_type': uint32(1024 + 17) };
  expect(factsOf(guessed, tensors, 10_816).quantization).toBe('Q5_K_M');
});

test('every fault is told at once', () => {
  const file: RawFile = {
    pairs: {
      'general.architecture': string('llama'),
      'general.type': string('adapter'),
      'general.alignment': uint32(48),
      'llama.block_count': uint32(0),
      'llama.context_length': string('long'),
      'llama.embedding_length': { float32: 4096 },
      'llama.attention.head_count': { int32: -1 },
      'llama.expert_count': { uint64: 2n ** 60n },
    },
    tensors: [],
  };
  expect(faultsOf(file)).toEqual([
    'metadata "general.alignment": is 48 (uint32); it must be a power of 2, as a uint32',
    'metadata "general.type": "adapter", not a language model',
    'tensors: there are none',
    'metadata "llama.block_count": is 0',
    'metadata "llama.embedding_length": is 4096 (float32); it must be a whole number, or one for each layer',
    'metadata "llama.attention.head_count": is -1 (int32); it must be a whole number, or one for each layer',
    'metadata "llama.context_length": is "long"; it must be a whole number, or one for each layer',
    'metadata "llama.expert_count": is 1152921504606846976 (uint64); it must be a whole number, or one for each layer',
  ]);
});

test.each([
  [{ 'llama.block_count': uint32(1) }, 'metadata "general.architecture": is missing'],
  [
    { 'general.architecture': string('../x') },
    'metadata "general.architecture": is "../x"; it must name the model\'s family',
  ],
  [{ 'general.architecture': string('llama') }, 'metadata "llama.block_count": is missing'],
])('a file without family or layers is refused', (pairs, fault) => {
  expect(faultsOf({ pairs, tensors: oneTensor, dataBytes: 2560 })).toEqual([fault]);
});

test.each([0, 3, 24])('alignment %i is refused', (alignment) => {
  const pairs = { ...llamaPairs, 'general.alignment': uint32(alignment) };
  expect(faultsOf({ pairs, tensors: oneTensor, dataBytes: 2560 })[0]).toContain(
    `is ${alignment} (uint32); it must be a power of 2`,
  );
});

test('tensors lie one after the other, each at a multiple of the alignment', () => {
  const pairs = { ...llamaPairs, 'general.alignment': uint32(64) };
  const place = (offset: number): RawFile => ({
    pairs,
    alignment: 64,
    // 3 floats, padded to 64 bytes
    tensors: [
      { name: 'a', shape: [3], type: 0, offset: 0 },
      { name: 'b', shape: [3], type: 0, offset },
    ],
    dataBytes: 64 + 12,
  });
  expect(faultsOf(place(64))).toEqual([]);
  expect(faultsOf(place(32))).toEqual([
    'tensor "b": lies at 32 of the data, where 64 is its place',
  ]);
});

test('a row is a whole number of blocks', () => {
  const tensors = [{ name: 'a', shape: [128, 4], type: 12, offset: 0 }];
  expect(faultsOf({ pairs: llamaPairs, tensors, dataBytes: 288 })).toEqual([
    'tensor "a": rows of 128 elements are no whole number of blocks of 256, as Q4_K has',
  ]);
});

test('one byte too few is told with what is missing', () => {
  const file: RawFile = { pairs: llamaPairs, tensors: oneTensor, dataBytes: 2560 };
  expect(faultsOf(file)).toEqual([]);
  // 24 + 45 + 33 for the pairs + 57 for the tensor, padded to 160, and 2560
  expect(faultsOf({ ...file, dataBytes: 2559 })).toEqual([
    'the file: cut short: it has 2,719 bytes and needs 2,720; 1 tensor of 1 not whole',
  ]);
});

test('a tensor of an unknown type is not checked, and its room counts', () => {
  const tensors = [
    { name: 'a', shape: [64], type: 200, offset: 0 },
    { name: 'b', shape: [8], type: 0, offset: 96 },
  ];
  const part = partOf({ pairs: llamaPairs, tensors, dataBytes: 128 });
  const { facts, faults, notChecked } = collectFacts([part]);
  expect(faults).toEqual([]);
  expect(facts).toMatchObject({ weightBytes: 128, parameterCount: 72, quantization: 'type_200' });
  expect(notChecked).toEqual([
    'a.gguf: 1 tensor of a type that is unknown here (200): whether whole is not checked',
  ]);
});

test('of many faults the first twenty are told', () => {
  const tensors = Array.from({ length: 50 }, (_, index) => ({
    name: `t${index}`,
    shape: [100],
    type: 12,
    offset: 0,
  }));
  const faults = faultsOf({ pairs: llamaPairs, tensors, dataBytes: 1000 });
  expect(faults).toHaveLength(21);
  // 50 rows and 49 places
  expect(faults[20]).toBe('a.gguf: and 79 more');
});

const split = (index: number, count: number, tensors = 2): Record<string, Value> => ({
  'split.no': { uint16: index },
  'split.count': { uint16: count },
  'split.tensors.count': { int32: tensors },
});

function partsWith(second: Record<string, Value>, name = 'b'): ModelPart[] {
  const first = partOf({
    pairs: { ...llamaPairs, ...split(0, 2) },
    tensors: oneTensor,
    dataBytes: 2560,
  });
  const tensors = [{ name, shape: [8], type: 0, offset: 0 }];
  return [first, partOf({ pairs: second, tensors, dataBytes: 32 }, 'b.gguf')];
}

test('the parts of a split model make one', () => {
  const parts = partsWith(split(1, 2));
  const { facts, faults } = collectFacts(parts);
  expect(faults).toEqual([]);
  expect(facts).toMatchObject({
    file: 'a.gguf',
    parts: [
      { name: 'a.gguf', bytes: parts[0]!.bytes },
      { name: 'b.gguf', bytes: parts[1]!.bytes },
    ],
    parameterCount: 648,
    weightBytes: 2592,
    tensorCount: 2,
    fileBytes: parts[0]!.bytes + parts[1]!.bytes,
  });
});

test.each<[string, ModelPart[], string]>([
  ['number', partsWith(split(0, 2)), 'b.gguf: says it is part 1 of 2, not 2 of 2'],
  ['count', partsWith(split(1, 3)), 'b.gguf: says it is part 2 of 3, not 2 of 2'],
  ['splitting', partsWith({}), 'b.gguf: says it is part none, not 2 of 2'],
  [
    'family',
    partsWith({ ...split(1, 2), 'general.architecture': string('gemma3') }),
    'b.gguf: is of family "gemma3", the first part of "llama"',
  ],
  [
    'tensors',
    partsWith(split(1, 2), 'token_embd.weight'),
    'b.gguf: tensor "token_embd.weight" is in an earlier part too',
  ],
])('parts that do not agree in their %s are refused', (_, parts, words) => {
  const { faults } = collectFacts(parts);
  expect(faults.map(({ where, what }) => `${where}: ${what}`)).toEqual([words]);
});

test('tensors that no part has are missed', () => {
  const [first, second] = partsWith(split(1, 2));
  const pairs = { ...llamaPairs, ...split(0, 2, 3) };
  const other = partOf({ pairs, tensors: oneTensor, dataBytes: 2560 });
  expect(collectFacts([other, second!]).faults.map(({ what }) => what)).toEqual([
    '2 tensors, where the first part says 3',
  ]);
  expect(collectFacts([first!, second!]).faults).toEqual([]);
});

test('parts are named as llama.cpp names them', () => {
  expect(listPartNames('m-00002-of-00003.gguf', { index: 1, count: 3 })).toEqual([
    'm-00001-of-00003.gguf',
    'm-00002-of-00003.gguf',
    'm-00003-of-00003.gguf',
  ]);
  expect(listPartNames('m-00002-of-00003.gguf', { index: 0, count: 3 })).toBeNull();
  expect(listPartNames('-00001-of-00003.gguf', { index: 0, count: 3 })).toBeNull();
  expect(listPartNames('m.gguf', { index: 0, count: 3 })).toBeNull();
});
