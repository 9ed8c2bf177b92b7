import { createHash } from 'node:crypto';
import { countTensorBytes } from '../space/tensors.ts';
import { generatorVersion } from './generator-version.ts';
import type { ModelLayout, PlacedTensor } from './layout.ts';
import { formatDimensions, type ModelSpec } from './model-spec.ts';

/**
 * Weights of one chunk (a tensor's last one has fewer): the unit of random seeds, so any thread can
 * make any chunk at any time. At 1 MiB in F16 it fits into a core's second-level cache. Part of
 * generator version 1.
 */
export const chunkWeightCount = 2 ** 19;

/** A part of a matrix made in one go. */
export interface Chunk {
  tensor: PlacedTensor;
  /** Place among the chunks of its tensor, from 0. */
  index: number;
  /** A multiple of 32. */
  weightCount: number;
  bytes: number;
}

/** All chunks of one tensor, in the order of its rows; none for a norm. */
export function splitTensor(tensor: PlacedTensor): Chunk[] {
  if (tensor.role === 'norm') return [];
  const count = Math.ceil(tensor.elementCount / chunkWeightCount);
  return Array.from({ length: count }, (_, index) => {
    const before = index * chunkWeightCount;
    const weightCount = Math.min(chunkWeightCount, tensor.elementCount - before);
    return { tensor, index, weightCount, bytes: countTensorBytes(tensor.type, weightCount) };
  });
}

export function listChunks(layout: ModelLayout): Chunk[] {
  return layout.tensors.flatMap(splitTensor);
}

/**
 * The 64 bytes that start a chunk's random numbers: SHA-512 of where the chunk is. Quantization is
 * not part of it, so the three files of a seed hold the same weights, quantized differently.
 */
export function seedChunk(
  { architecture, weightSeed }: Pick<ModelSpec, 'architecture' | 'weightSeed'>,
  { tensor, index }: Chunk,
): Uint8Array {
  const place = [
    'rooflaw-weights',
    generatorVersion,
    formatDimensions(architecture),
    weightSeed,
    tensor.name,
    index,
  ].join('/');
  return createHash('sha512').update(place).digest();
}
