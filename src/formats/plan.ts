import { z } from 'zod';
import {
  architectureSchema,
  nameSchema,
  phaseSchema,
  quantizationSchema,
  seedSchema,
  sequenceLengthSchema,
  sha256Schema,
} from './architecture.ts';
import { protocolSchema } from './protocol.ts';
import { versionOneSchema } from './version.ts';

/** One GGUF file, named by its hash. */
export const modelSchema = z.strictObject({
  architecture: architectureSchema,
  quantization: quantizationSchema,
  weightSeed: seedSchema,
  generatorVersion: z.int().min(1),
  fileBytes: z.int().min(1),
  sha256: sha256Schema,
});
export type Model = z.infer<typeof modelSchema>;

/** A condition of the plan: the model by its hash, and S. */
export const plannedConditionSchema = z.strictObject({
  modelSha256: sha256Schema,
  sequenceLength: sequenceLengthSchema,
});
export type PlannedCondition = z.infer<typeof plannedConditionSchema>;

/** An item of the plan: a condition in one phase. */
export const plannedItemSchema = plannedConditionSchema.extend({ phase: phaseSchema });
export type PlannedItemName = z.infer<typeof plannedItemSchema>;

/** Two items whose times are compared as the ratio b / a. */
export const plannedComparisonSchema = z.strictObject({
  a: plannedItemSchema,
  b: plannedItemSchema,
});
export type PlannedComparison = z.infer<typeof plannedComparisonSchema>;

const words = z.string().regex(/\S/, 'must have words');

/** What is asked and how it will be answered, declared before the first trial. */
export const declarationSchema = z.strictObject({
  question: words,
  /** The relative difference that matters, as a fraction. */
  targetDifference: z.number().gt(0).lt(1),
  comparisonFamily: words,
  /** An item is explorable when its interval's farther endpoint is within this share of the target. */
  closureRule: z.strictObject({
    rule: z.literal('largest-endpoint-distance'),
    maxShareOfTarget: z.number().gt(0).max(1),
  }),
  tailsAreAGoal: z.boolean(),
});
export type Declaration = z.infer<typeof declarationSchema>;

export const planSchema = z.strictObject({
  format: z.literal('rooflaw-plan'),
  formatVersion: versionOneSchema,
  name: nameSchema,
  declaration: declarationSchema,
  space: z.strictObject({ name: nameSchema, sha256: sha256Schema }),
  protocol: protocolSchema,
  protocolSha256: sha256Schema,
  scheduleSeed: seedSchema,
  models: z.array(modelSchema).min(1),
  conditions: z.array(plannedConditionSchema).min(1),
  /** The protocol's reference; measured besides the conditions when the space lacks it. */
  reference: plannedConditionSchema.extend({ partOfSpace: z.boolean() }),
  /** There when the protocol's stopping rule is about declared comparisons, and only then. */
  comparisons: z.array(plannedComparisonSchema).min(1).optional(),
});
export type Plan = z.infer<typeof planSchema>;
