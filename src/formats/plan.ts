import { z } from 'zod';
import {
  architectureSchema,
  nameSchema,
  phaseSchema,
  quantizationLabelSchema,
  quantizationSchema,
  seedSchema,
  sha256Schema,
  workSchema,
} from './architecture.ts';
import { experimentSchema } from './experiment.ts';
import { executionSchema, protocolSchema } from './protocol.ts';
import { launchSchema, treatmentSchema } from './treatment.ts';
import { versionOneSchema } from './version.ts';

/** A model with random weights, named by the hash of its GGUF file. */
export const generatedModelSchema = z.strictObject({
  architecture: architectureSchema,
  quantization: quantizationSchema,
  weightSeed: seedSchema,
  generatorVersion: z.int().min(1),
  fileBytes: z.int().min(1),
  sha256: sha256Schema,
});
export type GeneratedModel = z.infer<typeof generatedModelSchema>;

/** A GGUF file of any family that the user has: what is in it is not looked at, apart from its header. */
export const fileModelSchema = z.strictObject({
  /** Short, for items and selectors. */
  name: nameSchema,
  /** Base name of the file, or of the first part of a split one. */
  file: z.string().min(1),
  /** `general.architecture` of its header. */
  family: z.string(),
  title: z.string().nullable(),
  quantization: quantizationLabelSchema,
  layerCount: z.int().min(1),
  parameterCount: z.int().min(1),
  weightBytes: z.int().min(1),
  fileBytes: z.int().min(1),
  /** Of the file; of a split model, the hash of the canonical JSON of its parts' hashes in order. */
  sha256: sha256Schema,
  parts: z.array(
    z.strictObject({ name: z.string().min(1), bytes: z.int().min(1), sha256: sha256Schema }),
  ),
});
export type FileModel = z.infer<typeof fileModelSchema>;

export const modelSchema = z.union([generatedModelSchema, fileModelSchema]);
export type Model = z.infer<typeof modelSchema>;

export const isGenerated = (model: Model): model is GeneratedModel => 'architecture' in model;

/** What stands under `architecture` in its items. */
export const nameOfModel = (model: Model): string =>
  isGenerated(model) ? model.architecture.name : model.name;

export const layersOfModel = (model: Model): number =>
  isGenerated(model) ? model.architecture.layerCount : model.layerCount;

/** A condition of the plan: the model by its hash, and its work; in every phase, or in one. */
export const plannedConditionSchema = workSchema.extend({
  modelSha256: sha256Schema,
  phase: phaseSchema.optional(),
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

/** One backend with one set of options, measured in the same rounds as the others. */
export const variantSchema = z.strictObject({
  name: nameSchema,
  /** Label of the llama.cpp it runs on; the ledger binds it to a build. */
  backend: nameSchema,
  /** In place of the protocol's. */
  execution: executionSchema,
  /** An experiment's arms alone may have any of these. */
  treatment: treatmentSchema.optional(),
  launch: launchSchema.optional(),
  cachePreparation: z.enum(['compute', 'restore']).optional(),
  repetitions: z
    .strictObject({ warmup: z.int().min(0).max(10_000), kept: z.int().min(1).max(10_000) })
    .optional(),
});
export type Variant = z.infer<typeof variantSchema>;

export const planSchema = z.strictObject({
  format: z.literal('rooflaw-plan'),
  formatVersion: versionOneSchema,
  name: nameSchema,
  declaration: declarationSchema,
  /** null: the conditions were named one by one. */
  space: z.strictObject({ name: nameSchema, sha256: sha256Schema }).nullable(),
  protocol: protocolSchema,
  protocolSha256: sha256Schema,
  scheduleSeed: seedSchema,
  models: z.array(modelSchema).min(1),
  /** Absent: one backend, under the protocol's execution. The first one's backend is the ledger's `backend`. */
  variants: z.array(variantSchema).min(1).optional(),
  conditions: z.array(plannedConditionSchema).min(1),
  /** The protocol's reference; measured besides the conditions when the space lacks it. */
  reference: plannedConditionSchema.omit({ phase: true }).extend({ partOfSpace: z.boolean() }),
  /** There when the protocol's stopping rule is about declared comparisons, and only then. */
  comparisons: z.array(plannedComparisonSchema).min(1).optional(),
  /**
   * Makes the plan an experiment: its variants are the arms, in their order, and its conditions are
   * groups of as many as there are arms, each group one condition under every arm.
   */
  experiment: experimentSchema.optional(),
});
export type Plan = z.infer<typeof planSchema>;
