import { string, uint32, type Value } from '../gguf/gguf-bytes.ts';
import { inLayer, type Shapes } from './random-gguf.ts';

/** What the smallest models of many families have in common: two layers, an embedding of 64. */
export const width = 64;
export const vocabularySize = 128;
export const contextLength = 512;
export const layers = [0, 1];

export const float32 = (value: number): Value => ({ float32: value });

interface Common {
  width?: number;
  feedForwardLength?: number;
  headCount?: number;
  kvHeadCount?: number;
}

/** What a converter writes, with `llama.` or another family before it. */
export function commonPairs(family: string, common: Common = {}): Record<string, Value> {
  const { headCount = 2, kvHeadCount = 1, feedForwardLength = width } = common;
  const pairs = {
    block_count: uint32(layers.length),
    context_length: uint32(contextLength),
    embedding_length: uint32(common.width ?? width),
    feed_forward_length: uint32(feedForwardLength),
    'attention.head_count': uint32(headCount),
    ...(headCount === 0 ? {} : { 'attention.head_count_kv': uint32(kvHeadCount) }),
    'attention.layer_norm_rms_epsilon': float32(1e-5),
    vocab_size: uint32(vocabularySize),
  };
  return {
    'general.architecture': string(family),
    'general.type': string('model'),
    'general.name': string(`Tiny ${family}`),
    'general.file_type': uint32(0),
    'tokenizer.ggml.model': string('no_vocab'),
    ...under(family, pairs),
  };
}

export const under = (family: string, pairs: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(pairs).map(([key, value]) => [`${family}.${key}`, value]));

/** Embedding and last norm; without `output.weight` the embedding is the output too. */
export const ends = (embedding = width): Shapes => ({
  'token_embd.weight': [embedding, vocabularySize],
  'output_norm.weight': [embedding],
});

export const ofLayers = (make: (layer: number) => Shapes): Shapes =>
  Object.assign({}, ...layers.map((layer) => inLayer(layer, make(layer))));

/** Two heads, one for keys and values, unless their length says otherwise. */
export const attention = (embedding = width, headLength = embedding / 2, heads = 2): Shapes => ({
  'attn_norm.weight': [embedding],
  'attn_q.weight': [embedding, heads * headLength],
  'attn_k.weight': [embedding, headLength],
  'attn_v.weight': [embedding, headLength],
  'attn_output.weight': [heads * headLength, embedding],
});

export const feedForward = (embedding = width, hidden = width): Shapes => ({
  'ffn_norm.weight': [embedding],
  'ffn_gate.weight': [embedding, hidden],
  'ffn_down.weight': [hidden, embedding],
  'ffn_up.weight': [embedding, hidden],
});

export const experts = (count: number, hidden: number): Shapes => ({
  'ffn_norm.weight': [width],
  'ffn_gate_inp.weight': [width, count],
  'ffn_gate_exps.weight': [width, hidden, count],
  'ffn_down_exps.weight': [hidden, width, count],
  'ffn_up_exps.weight': [width, hidden, count],
});
