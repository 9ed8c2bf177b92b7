import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, uint32 } from '../gguf/gguf-bytes.ts';
import {
  attention,
  commonPairs,
  ends,
  feedForward,
  float32,
  under,
  width,
} from './model-shapes.ts';
import { encodeRandomModel, inLayer, type RandomModel } from './random-gguf.ts';
import { testCache } from './real-backend.ts';

/** Two kinds of cache that the models of Rooflaw's own spaces do not have. */
export type OtherMemory = 'sliding-window' | 'recurrent-and-attention';

/** Its feed-forward block stands beside the attention and shares its norm. */
const { 'ffn_norm.weight': _, ...parallelFeedForward } = feedForward();

export const otherMemoryModels: Record<OtherMemory, RandomModel> = {
  /** Of Cohere2: three of four layers see the last 64 tokens only. */
  'sliding-window': {
    pairs: {
      ...commonPairs('cohere2'),
      ...under('cohere2', {
        block_count: uint32(4),
        context_length: uint32(4096),
        'attention.sliding_window': uint32(64),
        'attention.layer_norm_epsilon': float32(1e-5),
        logit_scale: float32(1),
      }),
    },
    shapes: Object.assign(
      ends(),
      ...[0, 1, 2, 3].map((layer) => inLayer(layer, { ...attention(), ...parallelFeedForward })),
    ),
  },
  /** Of Jamba: a Mamba layer, then one of attention. */
  'recurrent-and-attention': {
    pairs: {
      ...commonPairs('jamba'),
      ...under('jamba', {
        context_length: uint32(4096),
        'attention.head_count_kv': array('uint32', [uint32(0), uint32(1)]),
        'ssm.conv_kernel': uint32(4),
        'ssm.inner_size': uint32(2 * width),
        'ssm.state_size': uint32(16),
        'ssm.time_step_rank': uint32(8),
      }),
    },
    shapes: {
      ...ends(),
      ...inLayer(0, {
        'attn_norm.weight': [width],
        'ssm_in.weight': [width, 4 * width],
        'ssm_conv1d.weight': [4, 2 * width],
        'ssm_conv1d.bias': [2 * width],
        'ssm_x.weight': [2 * width, 8 + 2 * 16],
        'ssm_dt_norm.weight': [8],
        'ssm_dt.weight': [8, 2 * width],
        'ssm_dt.bias': [2 * width],
        'ssm_b_norm.weight': [16],
        'ssm_c_norm.weight': [16],
        ssm_a: [16, 2 * width],
        ssm_d: [2 * width],
        'ssm_out.weight': [2 * width, width],
        ...feedForward(),
      }),
      ...inLayer(1, { ...attention(), ...feedForward() }),
    },
  },
};

/** Writes a model of some kilobytes with random F32 weights. @returns its path */
export function writeOtherMemoryModel(kind: OtherMemory): string {
  const path = join(testCache, 'models', `${kind}-${process.pid}.gguf`);
  writeFileSync(path, encodeRandomModel(otherMemoryModels[kind], kind));
  return path;
}
