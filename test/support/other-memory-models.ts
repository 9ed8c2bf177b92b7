import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, type RandomSource } from '../../src/random.ts';
import { testCache } from './real-backend.ts';

/** Two kinds of cache that the models of Rooflaw's own spaces do not have. */
export type OtherMemory = 'sliding-window' | 'recurrent-and-attention';

type Value = { string: string } | { uint32: number } | { float32: number } | { uint32s: number[] };
/** Element counts, the contiguous dimension first. */
type Shapes = Record<string, number[]>;

const embeddingLength = 64;
const vocabularySize = 128;

/** Of Cohere2: three of four layers see the last 64 tokens only. */
const slidingWindow = (): { values: Record<string, Value>; shapes: Shapes } => {
  const layers = [0, 1, 2, 3].map((layer) => ({ ...attention(layer), ...feedForward(layer) }));
  return {
    values: {
      'general.architecture': { string: 'cohere2' },
      ...commonValues('cohere2', 4),
      'cohere2.attention.head_count_kv': { uint32: 1 },
      'cohere2.attention.sliding_window': { uint32: 64 },
      'cohere2.attention.layer_norm_epsilon': { float32: 1e-5 },
      'cohere2.logit_scale': { float32: 1 },
    },
    shapes: Object.assign(commonShapes(), ...layers),
  };
};

/** Of Jamba: a Mamba layer, then one of attention. */
const recurrentAndAttention = (): { values: Record<string, Value>; shapes: Shapes } => ({
  values: {
    'general.architecture': { string: 'jamba' },
    ...commonValues('jamba', 2),
    'jamba.attention.head_count_kv': { uint32s: [0, 1] },
    'jamba.attention.layer_norm_rms_epsilon': { float32: 1e-5 },
    'jamba.ssm.conv_kernel': { uint32: 4 },
    'jamba.ssm.inner_size': { uint32: 2 * embeddingLength },
    'jamba.ssm.state_size': { uint32: 16 },
    'jamba.ssm.time_step_rank': { uint32: 8 },
  },
  shapes: {
    ...commonShapes(),
    'blk.0.attn_norm.weight': [embeddingLength],
    'blk.0.ssm_in.weight': [embeddingLength, 4 * embeddingLength],
    'blk.0.ssm_conv1d.weight': [4, 2 * embeddingLength],
    'blk.0.ssm_conv1d.bias': [2 * embeddingLength],
    'blk.0.ssm_x.weight': [2 * embeddingLength, 8 + 2 * 16],
    'blk.0.ssm_dt_norm.weight': [8],
    'blk.0.ssm_dt.weight': [8, 2 * embeddingLength],
    'blk.0.ssm_dt.bias': [2 * embeddingLength],
    'blk.0.ssm_b_norm.weight': [16],
    'blk.0.ssm_c_norm.weight': [16],
    'blk.0.ssm_a': [16, 2 * embeddingLength],
    'blk.0.ssm_d': [2 * embeddingLength],
    'blk.0.ssm_out.weight': [2 * embeddingLength, embeddingLength],
    'blk.0.ffn_norm.weight': [embeddingLength],
    ...feedForward(0),
    ...attention(1),
    'blk.1.ffn_norm.weight': [embeddingLength],
    ...feedForward(1),
  },
});

const commonValues = (name: string, layerCount: number): Record<string, Value> => ({
  [`${name}.vocab_size`]: { uint32: vocabularySize },
  [`${name}.context_length`]: { uint32: 4096 },
  [`${name}.embedding_length`]: { uint32: embeddingLength },
  [`${name}.block_count`]: { uint32: layerCount },
  [`${name}.feed_forward_length`]: { uint32: 64 },
  [`${name}.attention.head_count`]: { uint32: 2 },
  [`${name}.rope.dimension_count`]: { uint32: 32 },
  'tokenizer.ggml.model': { string: 'no_vocab' },
});

const commonShapes = (): Shapes => ({
  'token_embd.weight': [embeddingLength, vocabularySize],
  'output_norm.weight': [embeddingLength],
});

const attention = (layer: number): Shapes => ({
  [`blk.${layer}.attn_norm.weight`]: [embeddingLength],
  [`blk.${layer}.attn_q.weight`]: [embeddingLength, embeddingLength],
  [`blk.${layer}.attn_k.weight`]: [embeddingLength, 32],
  [`blk.${layer}.attn_v.weight`]: [embeddingLength, 32],
  [`blk.${layer}.attn_output.weight`]: [embeddingLength, embeddingLength],
});

const feedForward = (layer: number): Shapes => ({
  [`blk.${layer}.ffn_gate.weight`]: [embeddingLength, 64],
  [`blk.${layer}.ffn_down.weight`]: [64, embeddingLength],
  [`blk.${layer}.ffn_up.weight`]: [embeddingLength, 64],
});

/** Writes a model of some kilobytes with random F32 weights. @returns its path */
export function writeOtherMemoryModel(kind: OtherMemory): string {
  const { values, shapes } = kind === 'sliding-window' ? slidingWindow() : recurrentAndAttention();
  const random = createRandom(kind);
  const tensors = Object.entries(shapes).map(([name, dimensions]) => ({
    name,
    dimensions,
    bytes: drawWeights(name, dimensions, random),
  }));
  const offsets = tensors.map((_, index) =>
    tensors.slice(0, index).reduce((sum, { bytes }) => sum + bytes.length, 0),
  );
  const header = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(3),
    uint64(tensors.length),
    uint64(Object.keys(values).length),
    ...Object.entries(values).flatMap(([key, value]) => [text(key), encodeValue(value)]),
    ...tensors.flatMap(({ name, dimensions }, index) => [
      text(name),
      uint32(dimensions.length),
      ...dimensions.map(uint64),
      uint32(0), // F32
      uint64(offsets[index]!),
    ]),
  ]);
  const path = join(testCache, 'models', `${kind}-${process.pid}.gguf`);
  writeFileSync(path, Buffer.concat([aligned(header), ...tensors.map(({ bytes }) => bytes)]));
  return path;
}

/** Norms are 1, the decay of a state is -1, the rest uniform with a deviation of about 1/√(fan-in). */
function drawWeights(name: string, dimensions: readonly number[], random: RandomSource): Buffer {
  const count = dimensions.reduce((product, dimension) => product * dimension, 1);
  const scale = 1.7 / Math.sqrt(dimensions[0]!);
  const draw = () => (random.nextBelow(2001) / 1000 - 1) * scale;
  const constant = name.includes('norm') ? 1 : name.endsWith('ssm_a') ? -1 : null;
  const values = Float32Array.from({ length: count }, () => constant ?? draw());
  return aligned(Buffer.from(values.buffer));
}

/** Padded to GGUF's 32 bytes. */
const aligned = (bytes: Buffer) =>
  Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)]);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

const text = (value: string) => Buffer.concat([uint64(value.length), Buffer.from(value)]);

function encodeValue(value: Value): Buffer {
  const [uint32Type, float32Type, stringType, arrayType] = [4, 6, 8, 9];
  if ('string' in value) return Buffer.concat([uint32(stringType), text(value.string)]);
  if ('uint32' in value) return Buffer.concat([uint32(uint32Type), uint32(value.uint32)]);
  if ('uint32s' in value) {
    const items = value.uint32s.map(uint32);
    const head = [uint32(arrayType), uint32(uint32Type), uint64(items.length)];
    return Buffer.concat([...head, ...items]);
  }
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value.float32);
  return Buffer.concat([uint32(float32Type), bytes]);
}
