import { z } from 'zod';
import {
  contextLengthSchema,
  mostDecodeSteps,
  phaseSchema,
  seedSchema,
  sha256Schema,
} from './architecture.ts';
import { executionSchema, flashAttentionSchema } from './protocol.ts';
import { treatedRepetition, treatmentReportSchema, treatmentSchema } from './treatment.ts';

/**
 * What the runner reads on standard input: one JSON object, every field required, unknown fields
 * refused. The runner has no defaults.
 */
export const trialSchema = executionSchema.omit({ contextSize: true, gpuLayers: true }).extend({
  format: z.literal('rooflaw-trial'),
  formatVersion: z.literal(1),
  modelPath: z.string().min(1),
  modelSha256: sha256Schema,
  phase: phaseSchema,
  /** Tokens timed in prefill, from 1; in decode those in the cache before the first step. */
  sequenceLength: contextLengthSchema,
  /** In prefill: tokens in the cache before the timer starts. 0 in decode. */
  depth: contextLengthSchema,
  /** Single-token steps inside the timer; stated, and unused, in prefill. */
  decodeSteps: z.int().min(1).max(mostDecodeSteps),
  /** Timed runs in this process, warm-up and kept together: the runner knows no difference. */
  repetitions: z.int().min(1).max(20_000),
  /**
   * How the cache is filled before every repetition, outside the timer: `compute`, again each time;
   * `restore`, from a copy of what was computed once in this process.
   */
  cachePreparation: z.enum(['compute', 'restore']),
  /** Whether each decode step is timed by itself. false in prefill. */
  stepTimes: z.boolean(),
  /** One stream of tokens: those that are in the cache first, then the timed ones. */
  tokenSeed: seedSchema,
  contextSize: z
    .int()
    .min(1)
    .max(1 << 24),
  /** ggml device names. `["CPU"]`: no GPU is used. More than one only when split over them. */
  devices: z.array(z.string().min(1)).min(1),
  /** Layers on the device, the output counted as one more; 0 on the CPU. */
  gpuLayers: z.int().min(0).max(4097),
});
export type PlainTrial = z.infer<typeof trialSchema>;

/** Version 2: the same with a treatment. One without is a trial of version 1. */
export const treatedTrialSchema = trialSchema.extend({
  formatVersion: z.literal(2),
  treatment: treatmentSchema,
});
export type TreatedTrial = z.infer<typeof treatedTrialSchema>;

export type Trial = PlainTrial | TreatedTrial;

const nanoseconds = z.int().min(0);
const bufferSchema = z.strictObject({ name: z.string(), mebibytes: z.number().min(0) });

/** First line of the runner: the model is loaded, and what llama.cpp really took. */
export const loadLineSchema = z.strictObject({
  type: z.literal('load'),
  formatVersion: z.literal(1),
  modelSha256: sha256Schema,
  /**
   * Process start (main) to model loaded, without what a treatment does to its file; and context
   * creation with its thread pool.
   */
  loadNs: nanoseconds,
  contextNs: nanoseconds,
  /** What one reading of the clock costs; `null` unless steps are timed one by one. */
  clockNs: z.number().min(0).nullable(),
  applied: z.strictObject({
    threads: z.int(),
    threadsBatch: z.int(),
    contextSize: z.int(),
    batch: z.int(),
    ubatch: z.int(),
    flashAttention: flashAttentionSchema,
    layersOffloaded: z.int(),
    layersTotal: z.int(),
    modelBuffers: z.array(bufferSchema),
    kvBuffers: z.array(bufferSchema),
    computeBuffers: z.array(bufferSchema),
    /** CPUs that the process may run on, or null where the system has no such call. */
    cpus: z.array(z.int()).nullable(),
  }),
  /** Of a treated trial, and only then. */
  treatment: treatmentReportSchema.optional(),
});
export type LoadLine = z.infer<typeof loadLineSchema>;

/** One line for each repetition, written as it ends. */
export const repetitionLineSchema = z.strictObject({
  type: z.literal('repetition'),
  index: z.int().min(0),
  /** The timed region. 0 is possible in principle and makes the trial invalid. */
  wallNs: nanoseconds,
  /** Outside the timer: clearing, and computing or restoring the cache. */
  prepareNs: nanoseconds,
  /** With `stepTimes`, and only then: every step; they add up to `wallNs`. */
  stepNs: z.array(nanoseconds).optional(),
  /** With `stepNs`: computing the cache alone; null where none was computed in this repetition. */
  prefillNs: nanoseconds.nullable().optional(),
  ...treatedRepetition,
});
export type RepetitionLine = z.infer<typeof repetitionLineSchema>;

export const endLineSchema = z.strictObject({
  type: z.literal('end'),
  repetitions: z.int().min(1),
  peakResidentBytes: z.int().min(0).nullable(),
});
export type EndLine = z.infer<typeof endLineSchema>;

/** Instead of an end: why the runner gave up. Its exit status is not 0 then. */
export const failureLineSchema = z.strictObject({
  type: z.literal('failure'),
  code: z.enum([
    'invalid-trial',
    'too-many-threads',
    'device-not-found',
    'model-not-loaded',
    'context-not-created',
    'setting-not-taken',
    'decode-failed',
    'invalid-logits',
  ]),
  message: z.string(),
});
export type FailureLine = z.infer<typeof failureLineSchema>;

export const runnerLineSchema = z.discriminatedUnion('type', [
  loadLineSchema,
  repetitionLineSchema,
  endLineSchema,
  failureLineSchema,
]);
export type RunnerLine = z.infer<typeof runnerLineSchema>;

/** What `runner --describe` prints: one JSON object. */
export const runnerDescriptionSchema = z.strictObject({
  format: z.literal('rooflaw-runner'),
  formatVersion: z.literal(1),
  /** As the library reports them; null where it says nothing. */
  llamaRelease: z.string().nullable(),
  llamaCommit: z.string().nullable(),
  /** Hash of the llama.cpp sources whose headers the runner was compiled with, given at compile time. */
  sourceTreeHash: z.string().nullable(),
  systemInfo: z.string(),
  devices: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      type: z.enum(['cpu', 'gpu', 'igpu', 'accelerator', 'other']),
      backend: z.string(),
      memoryBytes: z.int().min(0),
    }),
  ),
  compiler: z.string(),
  operatingSystem: z.string(),
  /** CPUs this process may use, or null where the system has no such call. */
  allowedCpus: z.array(z.int()).nullable(),
});
export type RunnerDescription = z.infer<typeof runnerDescriptionSchema>;
