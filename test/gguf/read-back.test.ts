import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type GGUFParseOutput, gguf } from '@huggingface/gguf';
import { expect, test } from 'vitest';
import type { Quantization } from '../../src/formats/architecture.ts';
import { writeModel } from '../../src/gguf/write-model.io.ts';
import { countParameters, countWeightBytes } from '../../src/space/parameters.ts';
import { createFolder, tiny } from './small-model.ts';

type Read = GGUFParseOutput & { parameterCount: number };

async function writeAndRead(quantization: Quantization): Promise<{ path: string; read: Read }> {
  const path = join(createFolder(), 'tiny.gguf');
  await writeModel({ architecture: tiny, quantization, weightSeed: 4_000_000_007, path });
  const read = await gguf(path, { allowLocalFile: true, computeParametersCount: true });
  return { path, read };
}

test('an independent reader finds the metadata', async () => {
  const { read } = await writeAndRead('Q8_0');
  expect(read.metadata).toEqual({
    version: 3,
    tensor_count: 21n,
    kv_count: 19n,
    'general.architecture': 'llama',
    'general.alignment': 32,
    'general.file_type': 7,
    'general.quantization_version': 2,
    'llama.vocab_size': 50,
    'llama.context_length': 131_072,
    'llama.embedding_length': 96,
    'llama.block_count': 2,
    'llama.feed_forward_length': 160,
    'llama.attention.head_count': 3,
    'llama.attention.head_count_kv': 1,
    'llama.attention.key_length': 32,
    'llama.attention.value_length': 32,
    'llama.attention.layer_norm_rms_epsilon': Math.fround(1e-5),
    'llama.rope.dimension_count': 32,
    'llama.rope.freq_base': 10_000,
    'tokenizer.ggml.model': 'no_vocab',
    'rooflaw.generator_version': 1,
    'rooflaw.weight_seed': 4_000_000_007,
  });
});

test('an independent reader finds every tensor where it lies', async () => {
  const { path, read } = await writeAndRead('Q4_0');
  const found = read.tensorInfos.map(({ name, shape, dtype, offset }) =>
    [name, shape.join('x'), dtype, offset].join(' '),
  );
  // types: 0 is F32, 2 is Q4_0
  expect(found).toEqual([
    'token_embd.weight 96x50 2 0',
    'blk.0.attn_norm.weight 96 0 2720',
    'blk.0.attn_q.weight 96x96 2 3104',
    'blk.0.attn_k.weight 96x32 2 8288',
    'blk.0.attn_v.weight 96x32 2 10016',
    'blk.0.attn_output.weight 96x96 2 11744',
    'blk.0.ffn_norm.weight 96 0 16928',
    'blk.0.ffn_gate.weight 96x160 2 17312',
    'blk.0.ffn_up.weight 96x160 2 25952',
    'blk.0.ffn_down.weight 160x96 2 34592',
    'blk.1.attn_norm.weight 96 0 43232',
    'blk.1.attn_q.weight 96x96 2 43616',
    'blk.1.attn_k.weight 96x32 2 48800',
    'blk.1.attn_v.weight 96x32 2 50528',
    'blk.1.attn_output.weight 96x96 2 52256',
    'blk.1.ffn_norm.weight 96 0 57440',
    'blk.1.ffn_gate.weight 96x160 2 57824',
    'blk.1.ffn_up.weight 96x160 2 66464',
    'blk.1.ffn_down.weight 160x96 2 75104',
    'output_norm.weight 96 0 83744',
    'output.weight 96x50 2 84128',
  ]);
  // 84,128 bytes of data, then 4800 weights in 150 blocks of 18 bytes, padded to 2720
  expect(statSync(path).size - Number(read.tensorDataOffset)).toBe(86_848);
});

test.each(['F16', 'Q8_0', 'Q4_0'] as const)('counts agree with the reader in %s', async (type) => {
  const { path, read } = await writeAndRead(type);
  expect(read.parameterCount).toBe(151_392);
  expect(countParameters(tiny)).toBe(151_392);
  const dataBytes = statSync(path).size - Number(read.tensorDataOffset);
  const paddingBytes = { F16: 0, Q8_0: 2 * 20, Q4_0: 2 * 20 }[type];
  expect(countWeightBytes(tiny, type)).toBe(dataBytes - paddingBytes);
});
