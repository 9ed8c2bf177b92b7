import type { Architecture, Quantization } from '../formats/architecture.ts';
import { generatorVersion } from './generator-version.ts';

/** What decides every byte of a model file, together with the generator version. */
export interface ModelSpec {
  /** Its name has no influence: equal dimensions give equal files. */
  architecture: Architecture;
  quantization: Quantization;
  /** Integer from 0 to 2^32 - 1. */
  weightSeed: number;
}

/** `d64-h8-kv4-ff1536-l8-v32000`: an architecture without its name. */
export function formatDimensions(architecture: Architecture): string {
  const { headDim, headCount, kvHeadCount, feedForwardLength, layerCount, vocabularySize } =
    architecture;
  return `d${headDim}-h${headCount}-kv${kvHeadCount}-ff${feedForwardLength}-l${layerCount}-v${vocabularySize}`;
}

/** The name of a model's file in the cache; equal for equal bytes, different for different ones. */
export function formatModelFileName({ architecture, quantization, weightSeed }: ModelSpec): string {
  return `${formatDimensions(architecture)}-${quantization}-seed${weightSeed}-g${generatorVersion}.gguf`;
}
