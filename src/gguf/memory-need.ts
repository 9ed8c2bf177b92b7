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
  extends Pick<
    Execution,
    'kvTypeK' | 'kvTypeV' | 'batch' | 'ubatch' | 'flashAttention' | 'swaFull'
  > {
  /** Tokens. */
  contextSize: number;
}

/** Where the parts of a model lie. */
export type OffloadConditions = MemoryConditions & Pick<Execution, 'gpuLayers' | 'kvOffload'>;

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

type NeededFacts = Pick<
  ModelFileFacts,
  | 'weightBytes'
  | 'layerBytes'
  | 'inputBytes'
  | 'layerCount'
  | 'headCount'
  | 'kvHeadCount'
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
 * - Compute: the larger one of two buffers of one ubatch in F32, which is as long as batch and context
 *   allow: logits of every token, and attention scores of every head over the context (with flash attention
 *   there are none; with a sliding window they are not known, and taken as none). Backends share a buffer between steps, so that
 *   they do not add up; what else is in it is not counted.
 *
 * The program, its libraries and a driver's own memory are not in it: all in all rather too little.
 */
export function estimateMemory(facts: NeededFacts, conditions: MemoryConditions): MemoryNeed {
  const { weightBytes } = facts;
  const kvBytes = estimateKv(facts, conditions);
  const logits = estimateLogits(facts, conditions);
  const scores = estimateScores(facts, conditions);
  const computeBytes = logits === null ? null : Math.max(logits, scores);
  return addUp({ weightBytes, kvBytes, computeBytes });
}

/**
 * The same where a GPU holds the last layers, as many as `gpuLayers` says, of which the output is one.
 * Embeddings of tokens stay with the host. A layer's cache lies where the layer is, all of it with the host
 * without `kvOffload`; it is unknown where some layers are on
 * either side and have other shares of it. Host buffers through which a backend
 * passes data are not in it.
 */
export function divideMemory(
  facts: NeededFacts,
  conditions: OffloadConditions,
): { device: MemoryNeed; host: MemoryNeed } {
  const { weightBytes, layerBytes, inputBytes, layerCount } = facts;
  const { gpuLayers, kvOffload } = conditions;
  const offloaded = gpuLayers === 'all' ? layerCount + 1 : Math.min(gpuLayers, layerCount + 1);
  const layers = Math.max(0, offloaded - 1);
  const onDevice = sum(layerBytes.slice(layerCount - layers, layerCount));
  const outputBytes = weightBytes - inputBytes - sum(layerBytes);
  const deviceWeights = offloaded === 0 ? 0 : onDevice + outputBytes;
  const whole = estimateKv(facts, conditions);
  const deviceKv = kvOffload ? shareKv(facts, whole, layers) : whole === null ? null : 0;
  const scores = estimateScores(facts, conditions);
  const logits = estimateLogits(facts, conditions);
  const hasScores = { device: kvOffload && layers > 0, host: !kvOffload || layers < layerCount };
  const needOf = (place: 'device' | 'host', hasLogits: boolean) =>
    Math.max(hasScores[place] ? scores : 0, hasLogits ? (logits ?? 0) : 0);
  return {
    device: addUp({
      weightBytes: deviceWeights,
      kvBytes: deviceKv,
      computeBytes: logits === null ? null : needOf('device', offloaded > 0),
    }),
    host: addUp({
      weightBytes: weightBytes - deviceWeights,
      kvBytes: whole === null || deviceKv === null ? null : whole - deviceKv,
      computeBytes: logits === null ? null : needOf('host', offloaded === 0),
    }),
  };
}

/** What a number of layers have of the whole cache; null where that depends on which ones they are. */
function shareKv(
  { kvHeadCount, kvHeadsOfAllLayers, layerCount }: NeededFacts,
  kvBytes: number | null,
  layers: number,
): number | null {
  if (kvBytes === null || layers === layerCount) return kvBytes;
  if (layers === 0) return 0;
  const isEven = kvHeadCount !== null && kvHeadsOfAllLayers === kvHeadCount * layerCount;
  return isEven ? (kvBytes / layerCount) * layers : null;
}

const addUp = (parts: Omit<MemoryNeed, 'totalBytes'>): MemoryNeed => ({
  ...parts,
  totalBytes: parts.weightBytes + (parts.kvBytes ?? 0) + (parts.computeBytes ?? 0),
});

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** A fault when a model needs more than the given memory. @param whose of a device or the host */
export function findMemoryFaults(
  file: string,
  need: MemoryNeed,
  memoryBytes: number,
  whose = 'there',
): Fault[] {
  if (need.totalBytes <= memoryBytes) return [];
  const total = formatBytes(need.totalBytes);
  const weights = formatBytes(need.weightBytes);
  return [
    {
      where: file,
      what: `needs about ${total} (weights ${weights}), where ${formatBytes(memoryBytes)} are ${whose}`,
      hint: 'a device with more memory, a shorter context, or a smaller quantization',
    },
  ];
}

const roundContext = (tokens: number) => Math.ceil(tokens / contextStep) * contextStep;

function estimateKv(
  facts: NeededFacts,
  { kvTypeK, kvTypeV, swaFull, contextSize }: MemoryConditions,
): number | null {
  const tokens = roundContext(contextSize);
  const { kvHeadsOfAllLayers, keepsValues, slidingWindow, keyLength, valueLength } = facts;
  if (!kvHeadsOfAllLayers || keyLength === null || valueLength === null) return null;
  if (slidingWindow !== null && !swaFull) return null;
  const keptLength = keepsValues ? valueLength : 0;
  const bytesPerHead =
    (keyLength * bytesOf32Elements[kvTypeK] + keptLength * bytesOf32Elements[kvTypeV]) / 32;
  return Math.ceil(kvHeadsOfAllLayers * bytesPerHead * tokens);
}

/** llama.cpp lowers a batch to the context, and an ubatch to the batch. */
function ubatchOf({ batch, ubatch, contextSize }: MemoryConditions): number {
  return Math.min(ubatch, batch, contextSize);
}

function estimateLogits(
  { vocabularySize }: NeededFacts,
  conditions: MemoryConditions,
): number | null {
  return vocabularySize === null ? null : ubatchOf(conditions) * vocabularySize * float32Bytes;
}

function estimateScores(
  { headCount, slidingWindow }: NeededFacts,
  conditions: MemoryConditions,
): number {
  const { contextSize, flashAttention, swaFull } = conditions;
  if (flashAttention === 'on' || (slidingWindow !== null && !swaFull)) return 0;
  return ubatchOf(conditions) * (headCount ?? 0) * roundContext(contextSize) * float32Bytes;
}
