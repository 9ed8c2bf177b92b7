import { z } from 'zod';
import {
  architectureSchema,
  nameSchema,
  quantizationSchema,
  seedSchema,
  sequenceLengthSchema,
} from './architecture.ts';
import { versionOneSchema } from './version.ts';

export const conditionSchema = z.strictObject({
  architecture: nameSchema,
  quantization: quantizationSchema,
  sequenceLength: sequenceLengthSchema,
});
export type Condition = z.infer<typeof conditionSchema>;

/** How a designed space came about, so that anyone can make it again. */
export const designSchema = z.strictObject({
  method: z.literal('seeded-maximin'),
  seed: seedSchema,
  candidateCount: z.int().min(1),
  axes: z.strictObject({
    headDim: z.array(z.int().min(1)).min(1),
    headCount: z.array(z.int().min(1)).min(1),
    gqaRatio: z.array(z.int().min(1)).min(1),
    mlpRatio: z.array(z.number().positive()).min(1),
    layerCount: z.array(z.int().min(1)).min(1),
  }),
  parameterCount: z.strictObject({ minimum: z.int().min(1), maximum: z.int().min(1) }),
});
export type Design = z.infer<typeof designSchema>;

/** A set of architectures and the conditions under which they are to be measured. */
export const spaceSchema = z.strictObject({
  format: z.literal('rooflaw-space'),
  formatVersion: versionOneSchema,
  name: nameSchema,
  description: z.string(),
  weightSeed: seedSchema,
  /** null when the architectures were chosen by hand. */
  design: designSchema.nullable(),
  architectures: z.array(architectureSchema).min(1),
  conditions: z.array(conditionSchema).min(1),
});
export type Space = z.infer<typeof spaceSchema>;
