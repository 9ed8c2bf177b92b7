import type { Quantization } from '../formats/architecture.ts';
import { embeddingLengthOf } from '../space/tensors.ts';
import { generatorVersion } from './generator-version.ts';
import type { ModelSpec } from './model-spec.ts';

export type MetadataEntry =
  | { key: string; type: 'uint32' | 'float32'; value: number }
  | { key: string; type: 'string'; value: string };

/** Bytes; a tensor's place in the file is a multiple of it. GGUF's own default. */
export const alignment = 32;

/** Tokens; more than any condition asks for, as llama.cpp warns beyond it. */
const contextLength = 131_072;

/** Llama's own values: epsilon of the root mean square norm, base of the rotary encoding. */
const rmsEpsilon = 1e-5;
const ropeFrequencyBase = 10_000;

/** llama.cpp's `llama_ftype` of files whose matrices all have one type. */
const fileTypeOf: Record<Quantization, number> = { F16: 1, Q4_0: 2, Q8_0: 7 };

/** ggml's version of its quantization formats. */
const quantizationVersion = 2;

/** The key-value pairs of a model's file, in its order. No name is among them. */
export function listMetadata({
  architecture,
  quantization,
  weightSeed,
}: ModelSpec): MetadataEntry[] {
  const { headDim, headCount, kvHeadCount, feedForwardLength, layerCount, vocabularySize } =
    architecture;
  const uint32 = (key: string, value: number): MetadataEntry => ({ key, type: 'uint32', value });
  const float32 = (key: string, value: number): MetadataEntry => ({ key, type: 'float32', value });
  const string = (key: string, value: string): MetadataEntry => ({ key, type: 'string', value });
  return [
    string('general.architecture', 'llama'),
    uint32('general.alignment', alignment),
    uint32('general.file_type', fileTypeOf[quantization]),
    uint32('general.quantization_version', quantizationVersion),
    uint32('llama.vocab_size', vocabularySize),
    uint32('llama.context_length', contextLength),
    uint32('llama.embedding_length', embeddingLengthOf(architecture)),
    uint32('llama.block_count', layerCount),
    uint32('llama.feed_forward_length', feedForwardLength),
    uint32('llama.attention.head_count', headCount),
    uint32('llama.attention.head_count_kv', kvHeadCount),
    uint32('llama.attention.key_length', headDim),
    uint32('llama.attention.value_length', headDim),
    float32('llama.attention.layer_norm_rms_epsilon', rmsEpsilon),
    uint32('llama.rope.dimension_count', headDim),
    float32('llama.rope.freq_base', ropeFrequencyBase),
    string('tokenizer.ggml.model', 'no_vocab'),
    uint32('rooflaw.generator_version', generatorVersion),
    uint32('rooflaw.weight_seed', weightSeed),
  ];
}
