import type { Fault } from '../errors.ts';
import type { Architecture, Quantization } from '../formats/architecture.ts';
import type { Space } from '../formats/space.ts';
import { countKvBytes, countWeightBytes } from './parameters.ts';

/** Tokens that protocol v1 computes at once; working buffers grow with it. */
const ubatchTokens = 128;
/** Single-token steps that protocol v1 adds to a sequence when it times decoding. */
const decodeSteps = 64;
const float32Bytes = 4;

export interface MemoryEstimate {
  weightBytes: number;
  /** F16, for the sequence and the tokens decoded after it. */
  kvBytes: number;
  workingBytes: number;
  totalBytes: number;
}

/**
 * Device memory that a trial needs: weights, KV cache, and working buffers in F32 for one ubatch:
 * the logits, the attention scores of every head, both halves of the feed-forward block and four
 * embeddings. The program and its libraries are not in it.
 */
export function estimateMemory(
  architecture: Architecture,
  quantization: Quantization,
  sequenceLength: number,
): MemoryEstimate {
  const { headDim, headCount, feedForwardLength, vocabularySize } = architecture;
  const tokens = sequenceLength + decodeSteps;
  const weightBytes = countWeightBytes(architecture, quantization);
  const kvBytes = countKvBytes(architecture, tokens);
  const elementsPerToken =
    vocabularySize + headCount * tokens + 2 * feedForwardLength + 4 * headDim * headCount;
  const workingBytes = ubatchTokens * elementsPerToken * float32Bytes;
  return { weightBytes, kvBytes, workingBytes, totalBytes: weightBytes + kvBytes + workingBytes };
}

/** Every condition of a sound space that needs more than the given memory. */
export function findMemoryFaults(space: Space, memoryBytes: number): Fault[] {
  const byName = new Map(space.architectures.map((one) => [one.name, one]));
  return space.conditions.flatMap(({ architecture, quantization, sequenceLength }, index) => {
    const dimensions = byName.get(architecture)!;
    const { totalBytes } = estimateMemory(dimensions, quantization, sequenceLength);
    if (totalBytes <= memoryBytes) return [];
    return {
      where: `conditions[${index}]`,
      what: `${architecture} ${quantization} S${sequenceLength} needs about ${totalBytes} bytes, more than ${memoryBytes}`,
      hint: 'measure it on a device with more memory, or take the condition out of the space',
    };
  });
}
