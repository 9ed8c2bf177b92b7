import { uint32 } from '../gguf/gguf-bytes.ts';
import {
  commonPairs,
  contextLength,
  feedForward,
  float32,
  layers,
  ofLayers,
  under,
  vocabularySize,
  width,
} from './model-shapes.ts';
import type { RandomModel } from './random-gguf.ts';

/** An encoder: it reads a whole text at once, keeps nothing and has no logits. */
export const bert: RandomModel = {
  pairs: {
    ...commonPairs('bert', { kvHeadCount: 2 }),
    'tokenizer.ggml.token_type_count': uint32(2),
    ...under('bert', {
      'attention.layer_norm_epsilon': float32(1e-5),
      'attention.causal': { bool: false },
      pooling_type: uint32(1),
    }),
  },
  shapes: {
    'token_embd.weight': [width, vocabularySize],
    'token_types.weight': [width, 2],
    'position_embd.weight': [width, contextLength],
    'token_embd_norm.weight': [width],
    'token_embd_norm.bias': [width],
    ...ofLayers(() => ({
      'attn_q.weight': [width, width],
      'attn_k.weight': [width, width],
      'attn_v.weight': [width, width],
      'attn_output.weight': [width, width],
      'attn_output_norm.weight': [width],
      'attn_output_norm.bias': [width],
      'ffn_up.weight': [width, width],
      'ffn_down.weight': [width, width],
      'layer_output_norm.weight': [width],
      'layer_output_norm.bias': [width],
    })),
  },
};

/** An encoder, and a decoder that looks at what it read. */
export const t5: RandomModel = {
  pairs: {
    ...commonPairs('t5', { kvHeadCount: 2 }),
    ...under('t5', {
      'attention.key_length': uint32(32),
      'attention.value_length': uint32(32),
      'attention.relative_buckets_count': uint32(32),
      decoder_start_token_id: uint32(0),
    }),
  },
  shapes: {
    'token_embd.weight': [width, vocabularySize],
    'enc.output_norm.weight': [width],
    'dec.output_norm.weight': [width],
    'output.weight': [width, vocabularySize],
    ...Object.assign(
      {},
      ...['enc', 'dec'].flatMap((part) =>
        layers.map((layer) => {
          const names = part === 'enc' ? ['attn'] : ['attn', 'cross_attn'];
          const shapes = Object.assign(
            {
              'attn_rel_b.weight': [2, 32],
              ...feedForward(),
            },
            ...names.map((name) => ({
              [`${name}_norm.weight`]: [width],
              [`${name}_q.weight`]: [width, width],
              [`${name}_k.weight`]: [width, width],
              [`${name}_v.weight`]: [width, width],
              [`${name}_o.weight`]: [width, width],
            })),
          );
          return Object.fromEntries(
            Object.entries(shapes).map(([name, shape]) => [`${part}.blk.${layer}.${name}`, shape]),
          );
        }),
      ),
    ),
  },
};
