import {
  type Architecture,
  type Quantization,
  quantizationSchema,
} from '../formats/architecture.ts';
import type { Space } from '../formats/space.ts';
import { countKvBytes, countParameters, countWeightBytes } from './parameters.ts';

/** What a space holds, counted: the object that `rooflaw space show --json` prints. */
export interface SpaceSummary {
  name: string;
  description: string;
  weightSeed: number;
  designSeed: number | null;
  modelCount: number;
  conditionCount: number;
  /** Conditions in two phases, prefill and decode. */
  itemCount: number;
  /** Of all models together; a file is a little larger by its header. */
  weightBytes: number;
  sequenceLengths: number[];
  architectures: ArchitectureSummary[];
}

export interface ArchitectureSummary extends Architecture {
  parameterCount: number;
  weightBytes: Record<Quantization, number>;
  /** By sequence length: an F16 KV cache that holds so many tokens. */
  kvBytes: Record<string, number>;
}

export function summariseSpace(space: Space): SpaceSummary {
  const sequenceLengths = [...new Set(space.conditions.map((one) => one.sequenceLength))];
  sequenceLengths.sort((a, b) => a - b);
  const architectures = space.architectures.map((architecture) =>
    summariseArchitecture(architecture, sequenceLengths),
  );
  const models = new Map<string, number>();
  for (const { architecture, quantization } of space.conditions) {
    const { weightBytes } = architectures.find(({ name }) => name === architecture)!;
    models.set(`${architecture}/${quantization}`, weightBytes[quantization]);
  }
  return {
    name: space.name,
    description: space.description,
    weightSeed: space.weightSeed,
    designSeed: space.design?.seed ?? null,
    modelCount: models.size,
    conditionCount: space.conditions.length,
    itemCount: 2 * space.conditions.length,
    weightBytes: [...models.values()].reduce((sum, bytes) => sum + bytes, 0),
    sequenceLengths,
    architectures,
  };
}

function summariseArchitecture(
  architecture: Architecture,
  sequenceLengths: readonly number[],
): ArchitectureSummary {
  const weightBytes = Object.fromEntries(
    quantizationSchema.options.map((quantization) => [
      quantization,
      countWeightBytes(architecture, quantization),
    ]),
  ) as Record<Quantization, number>;
  const kvBytes = Object.fromEntries(
    sequenceLengths.map((tokens) => [String(tokens), countKvBytes(architecture, tokens)]),
  );
  return { ...architecture, parameterCount: countParameters(architecture), weightBytes, kvBytes };
}
