import type { Fault } from '../errors.ts';
import type { Execution } from '../formats/protocol.ts';
import { formatBytes } from '../units.ts';
import type { ModelFileFacts } from './model-file.ts';

export interface MemoryNeed {
  weightBytes: number;
  /** Null when the header does not tell. */
  kvBytes: number | null;
  /** Null when the header does not tell. */
  computeBytes: number | null;
  /** Of what is known. */
  totalBytes: number;
}

export interface MemoryConditions
  extends Pick<Execution, 'kvTypeK' | 'kvTypeV' | 'ubatch' | 'flashAttention' | 'swaFull'> {
  /** Tokens. */
  contextSize: number;
}

/** Bytes of 32 elements of the KV cache: ggml's blocks, or 32 single elements. */
const bytesOf32Elements: Record<Execution['kvTypeK'], number> = {
  F32: 32 * 4,
  F16: 32 * 2,
  BF16: 32 * 2,
  Q8_0: 34,
  Q5_1: 24,
  Q5_0: 22,
  Q4_1: 20,
  Q4_0: 18,
};

/** llama.cpp rounds a context up to a multiple of this many tokens. */
const contextStep = 256;
const float32Bytes = 4;
/** Elements of the feed-forward block for each one of the embedding; common models have 2.7 to 4. */
const feedForwardRatio = 4;

type NeededFacts = Pick<
  ModelFileFacts,
  | 'weightBytes'
  | 'embeddingLength'
  | 'headCount'
  | 'kvHeadsOfAllLayers'
  | 'keepsValues'
  | 'slidingWindow'
  | 'keyLength'
  | 'valueLength'
  | 'vocabularySize'
>;

/**
 * Memory that running a model takes, from its header alone.
 *
 * - Weights: all tensors, each once. A backend that repacks weights, or keeps the embedding in two
 *   places, takes more.
 * - KV: KV heads of all layers x (key length x bytes of an element of K + value length x bytes of
 *   one of V) x tokens, for one sequence; the context is rounded up to 256 tokens, as llama.cpp does.
 *   Latent attention keeps no V. A recurrent layer's own state, which does not grow with the
 *   context, is not in it. Null where the family has no attention, lengths are missing, or a rule of
 *   the family says which layers have a sliding window (unless the whole context is kept all the
 *   same) or no attention: a guess that is too large would refuse what fits.
 * - Compute: buffers of one ubatch in F32: logits of every token, attention scores of every head
 *   over the context (with flash attention there are none), both halves of a
 *   feed-forward block taken as 4 x the embedding, and four embeddings. One sequence, one layer at
 *   a time. An order of magnitude: backends reuse and pad buffers in their own ways.
 *
 * The program, its libraries and a driver's own memory are not in it.
 */
export function estimateMemory(facts: NeededFacts, conditions: MemoryConditions): MemoryNeed {
  const { weightBytes } = facts;
  const tokens = Math.ceil(conditions.contextSize / contextStep) * contextStep;
  const kvBytes = estimateKv(facts, conditions, tokens);
  const computeBytes = estimateCompute(facts, conditions, tokens);
  return {
    weightBytes,
    kvBytes,
    computeBytes,
    totalBytes: weightBytes + (kvBytes ?? 0) + (computeBytes ?? 0),
  };
}

/** A fault when a model needs more than the given memory. */
export function findMemoryFaults(file: string, need: MemoryNeed, memoryBytes: number): Fault[] {
  if (need.totalBytes <= memoryBytes) return [];
  const total = formatBytes(need.totalBytes);
  const weights = formatBytes(need.weightBytes);
  return [
    {
      where: file,
      what: `needs about ${total} (weights ${weights}), where ${formatBytes(memoryBytes)} are there`,
      hint: 'a device with more memory, a shorter context, or a smaller quantization',
    },
  ];
}

function estimateKv(
  facts: NeededFacts,
  { kvTypeK, kvTypeV, swaFull }: MemoryConditions,
  tokens: number,
): number | null {
  const { kvHeadsOfAllLayers, keepsValues, slidingWindow, keyLength, valueLength } = facts;
  if (!kvHeadsOfAllLayers || keyLength === null || valueLength === null) return null;
  if (slidingWindow !== null && !swaFull) return null;
  const keptLength = keepsValues ? valueLength : 0;
  const bytesPerHead =
    (keyLength * bytesOf32Elements[kvTypeK] + keptLength * bytesOf32Elements[kvTypeV]) / 32;
  return Math.ceil(kvHeadsOfAllLayers * bytesPerHead * tokens);
}

function estimateCompute(
  { embeddingLength, headCount, vocabularySize }: NeededFacts,
  { ubatch, flashAttention }: MemoryConditions,
  tokens: number,
): number | null {
  if (embeddingLength === null || vocabularySize === null) return null;
  const scores = flashAttention === 'on' ? 0 : (headCount ?? 0) * tokens;
  const elementsPerToken =
    vocabularySize + scores + 2 * feedForwardRatio * embeddingLength + 4 * embeddingLength;
  return ubatch * elementsPerToken * float32Bytes;
}
