import { uint32 } from '../gguf/gguf-bytes.ts';
import {
  attention,
  commonPairs,
  contextLength,
  ends,
  experts,
  feedForward,
  float32,
  layers,
  ofLayers,
  under,
  vocabularySize,
  width,
} from './model-shapes.ts';
import { otherMemoryModels } from './other-memory-models.ts';
import type { RandomModel, Shapes } from './random-gguf.ts';

/** No attention at all: a state of fixed size in every layer. */
const mamba: RandomModel = {
  pairs: {
    ...commonPairs('mamba', { headCount: 0, feedForwardLength: 0 }),
    ...under('mamba', {
      'ssm.conv_kernel': uint32(4),
      'ssm.inner_size': uint32(2 * width),
      'ssm.state_size': uint32(16),
      'ssm.time_step_rank': uint32(8),
    }),
  },
  shapes: {
    ...ends(),
    ...ofLayers(() => ({
      'attn_norm.weight': [width],
      'ssm_in.weight': [width, 4 * width],
      'ssm_conv1d.weight': [4, 2 * width],
      'ssm_conv1d.bias': [2 * width],
      'ssm_x.weight': [2 * width, 8 + 2 * 16],
      'ssm_dt.weight': [8, 2 * width],
      'ssm_dt.bias': [2 * width],
      ssm_a: [16, 2 * width],
      ssm_d: [2 * width],
      'ssm_out.weight': [2 * width, width],
    })),
  },
};

/** The same with heads and one scalar of decay for each. */
const mamba2: RandomModel = {
  pairs: {
    ...commonPairs('mamba2', { headCount: 0, feedForwardLength: 0 }),
    ...under('mamba2', {
      'ssm.conv_kernel': uint32(4),
      'ssm.inner_size': uint32(2 * width),
      'ssm.state_size': uint32(16),
      'ssm.time_step_rank': uint32(4),
      'ssm.group_count': uint32(1),
    }),
  },
  shapes: {
    ...ends(),
    ...ofLayers(() => ({
      'attn_norm.weight': [width],
      'ssm_in.weight': [width, 2 * width + (2 * width + 2 * 16) + 4],
      'ssm_conv1d.weight': [4, 2 * width + 2 * 16],
      'ssm_conv1d.bias': [2 * width + 2 * 16],
      'ssm_dt.bias': [4],
      ssm_a: [1, 4],
      ssm_d: [1, 4],
      'ssm_norm.weight': [2 * width, 1],
      'ssm_out.weight': [2 * width, width],
    })),
  },
};

const rank = 8;
const vector = (...names: string[]): Shapes =>
  Object.fromEntries(names.map((name) => [`${name}.weight`, [width]]));
const down = (...names: string[]): Shapes =>
  Object.fromEntries(names.map((name) => [`${name}.weight`, [width, rank]]));
const up = (...names: string[]): Shapes =>
  Object.fromEntries(names.map((name) => [`${name}.weight`, [rank, width]]));

/** Recurrent too, with a matrix as the state of every head, and without anything of Mamba's. */
const rwkv7: RandomModel = {
  pairs: {
    ...commonPairs('rwkv7', { headCount: 0 }),
    ...under('rwkv7', {
      'attention.layer_norm_epsilon': float32(1e-5),
      'wkv.head_size': uint32(64), // one head; llama.cpp computes no other size
      'attention.decay_lora_rank': uint32(rank),
      'attention.iclr_lora_rank': uint32(rank),
      'attention.value_residual_mix_lora_rank': uint32(rank),
      'attention.gate_lora_rank': uint32(rank),
    }),
  },
  shapes: {
    ...ends(),
    'token_embd_norm.weight': [width],
    'token_embd_norm.bias': [width],
    'output_norm.bias': [width],
    'output.weight': [width, vocabularySize],
    ...ofLayers(() => ({
      ...vector('attn_norm', 'attn_norm_2', 'time_mix_w0', 'time_mix_a0', 'time_mix_v0'),
      ...vector('time_mix_k_k', 'time_mix_k_a', 'time_mix_r_k', 'time_mix_ln'),
      'attn_norm.bias': [width],
      'attn_norm_2.bias': [width],
      'time_mix_ln.bias': [width],
      ...down('time_mix_w1', 'time_mix_a1', 'time_mix_v1', 'time_mix_g1'),
      ...up('time_mix_w2', 'time_mix_a2', 'time_mix_v2', 'time_mix_g2'),
      'time_mix_lerp_fused.weight': [width, 1, 1, 6],
      'time_mix_key.weight': [width, width],
      'time_mix_value.weight': [width, width],
      'time_mix_receptance.weight': [width, width],
      'time_mix_output.weight': [width, width],
      'channel_mix_lerp_k.weight': [width, 1, 1],
      'channel_mix_key.weight': [width, width],
      'channel_mix_value.weight': [width, width],
    })),
  },
};

const keptLength = 32; // of the compressed keys and values
const ropeLength = 16;
const headLength = 32;

/** Latent attention: one compressed key a token is kept, and no value. Its second layer has experts. */
const deepseek2: RandomModel = {
  pairs: {
    ...commonPairs('deepseek2'),
    ...under('deepseek2', {
      leading_dense_block_count: uint32(1),
      'attention.q_lora_rank': uint32(32),
      'attention.kv_lora_rank': uint32(keptLength),
      'attention.key_length': uint32(keptLength + ropeLength),
      'attention.value_length': uint32(keptLength),
      'attention.key_length_mla': uint32(headLength + ropeLength),
      'attention.value_length_mla': uint32(headLength),
      'rope.dimension_count': uint32(ropeLength),
      expert_count: uint32(4),
      expert_used_count: uint32(2),
      expert_shared_count: uint32(1),
      expert_feed_forward_length: uint32(32),
      expert_weights_scale: float32(1),
    }),
  },
  shapes: {
    ...ends(),
    'output.weight': [width, vocabularySize],
    ...ofLayers((layer) => ({
      'attn_norm.weight': [width],
      'attn_q_a.weight': [width, 32],
      'attn_q_a_norm.weight': [32],
      'attn_q_b.weight': [32, 2 * (headLength + ropeLength)],
      'attn_kv_a_mqa.weight': [width, keptLength + ropeLength],
      'attn_kv_a_norm.weight': [keptLength],
      'attn_k_b.weight': [headLength, keptLength, 2],
      'attn_v_b.weight': [keptLength, headLength, 2],
      'attn_output.weight': [2 * headLength, width],
      ...(layer === 0
        ? feedForward()
        : {
            ...experts(4, 32),
            'ffn_gate_shexp.weight': [width, 32],
            'ffn_down_shexp.weight': [32, width],
            'ffn_up_shexp.weight': [width, 32],
          }),
    })),
  },
};

/** The same, and behind its layers one that guesses a further token; no trial computes it. */
const guessing: RandomModel = {
  pairs: {
    ...deepseek2.pairs,
    ...under('deepseek2', { block_count: uint32(3), nextn_predict_layers: uint32(1) }),
  },
  shapes: {
    ...deepseek2.shapes,
    ...Object.fromEntries(
      Object.entries(deepseek2.shapes).flatMap(([name, shape]) =>
        name.startsWith('blk.1.') ? [[name.replace('blk.1.', 'blk.2.'), shape] as const] : [],
      ),
    ),
    'blk.2.nextn.eh_proj.weight': [2 * width, width],
    'blk.2.nextn.enorm.weight': [width],
    'blk.2.nextn.hnorm.weight': [width],
  },
};

/** A mixture: two of four experts for each token. */
const qwen3moe: RandomModel = {
  pairs: {
    ...commonPairs('qwen3moe'),
    ...under('qwen3moe', {
      expert_count: uint32(4),
      expert_used_count: uint32(2),
      expert_feed_forward_length: uint32(32),
    }),
  },
  shapes: {
    ...ends(),
    'output.weight': [width, vocabularySize],
    ...ofLayers(() => ({
      ...attention(),
      'attn_k_norm.weight': [32],
      'attn_q_norm.weight': [32],
      ...experts(4, 32),
    })),
  },
};

/** Biases of the projections, and an embedding that is the output too. */
const qwen2: RandomModel = {
  pairs: commonPairs('qwen2'),
  shapes: {
    ...ends(),
    ...ofLayers(() => ({
      ...attention(),
      'attn_q.bias': [width],
      'attn_k.bias': [width / 2],
      'attn_v.bias': [width / 2],
      ...feedForward(),
    })),
  },
};

/** Heads whose length is not embedding / heads, GELU, a scaled embedding that is the output too. */
const gemma: RandomModel = {
  pairs: {
    ...commonPairs('gemma'),
    ...under('gemma', {
      'attention.key_length': uint32(64),
      'attention.value_length': uint32(64),
    }),
  },
  shapes: { ...ends(), ...ofLayers(() => ({ ...attention(width, 64), ...feedForward() })) },
};

/** Positions in a table instead of rotations, one projection for queries, keys and values, biases. */
const gpt2: RandomModel = {
  pairs: {
    ...commonPairs('gpt2', { kvHeadCount: 2 }),
    ...under('gpt2', { 'attention.layer_norm_epsilon': float32(1e-5) }),
  },
  shapes: {
    ...ends(),
    'position_embd.weight': [width, contextLength],
    'output_norm.bias': [width],
    ...ofLayers(() => ({
      'attn_norm.weight': [width],
      'attn_norm.bias': [width],
      'attn_qkv.weight': [width, 3 * width],
      'attn_qkv.bias': [3 * width],
      'attn_output.weight': [width, width],
      'attn_output.bias': [width],
      'ffn_norm.weight': [width],
      'ffn_norm.bias': [width],
      'ffn_down.weight': [width, width],
      'ffn_down.bias': [width],
      'ffn_up.weight': [width, width],
      'ffn_up.bias': [width],
    })),
  },
};

/** K-quants, mixed as llama.cpp's tool mixes them for Q4_K_M: most in Q4_K, some in Q6_K. */
const kQuants: RandomModel = {
  pairs: {
    ...commonPairs('llama', { width: 256, feedForwardLength: 256 }),
    'general.file_type': uint32(15),
  },
  shapes: {
    ...ends(256),
    'output.weight': [256, vocabularySize],
    ...ofLayers(() => ({ ...attention(256), ...feedForward(256, 256) })),
  },
  types: {
    'token_embd.weight': 'Q4_K',
    'output.weight': 'Q6_K',
    ...Object.fromEntries(
      layers.flatMap((layer) => [
        ...['attn_q', 'attn_k', 'attn_output', 'ffn_gate', 'ffn_up'].map(
          (name) => [`blk.${layer}.${name}.weight`, 'Q4_K'] as const,
        ),
        ...['attn_v', 'ffn_down'].map((name) => [`blk.${layer}.${name}.weight`, 'Q6_K'] as const),
      ]),
    ),
  },
};

/** An embedding model that is a decoder: it takes the last token's embedding, and can decode as any. */
const qwen3Embedding: RandomModel = {
  pairs: { ...commonPairs('qwen3'), ...under('qwen3', { pooling_type: uint32(3) }) },
  shapes: {
    ...ends(),
    ...ofLayers(() => ({
      ...attention(),
      'attn_k_norm.weight': [32],
      'attn_q_norm.weight': [32],
      ...feedForward(),
    })),
  },
};

/**
 * The smallest models of families that differ in what llama.cpp keeps and computes, with the metadata
 * that a converter writes.
 */
export const familyModels = {
  mamba,
  mamba2,
  rwkv7,
  deepseek2,
  guessing,
  qwen3moe,
  qwen2,
  gemma,
  gpt2,
  'k-quants': kQuants,
  'qwen3-embedding': qwen3Embedding,
  cohere2: otherMemoryModels['sliding-window'],
  jamba: otherMemoryModels['recurrent-and-attention'],
} satisfies Record<string, RandomModel>;
