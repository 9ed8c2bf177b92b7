import { z } from 'zod';
import {
  architectureSchema,
  mostDecodeSteps,
  nameSchema,
  phaseSchema,
  quantizationSchema,
  seedSchema,
  sequenceLengthSchema,
} from './architecture.ts';
import { versionOneSchema } from './version.ts';

export const kvTypeSchema = z.enum(['F32', 'F16', 'BF16', 'Q8_0', 'Q5_1', 'Q5_0', 'Q4_1', 'Q4_0']);
export const flashAttentionSchema = z.enum(['off', 'on']);
export const splitModeSchema = z.enum(['none', 'layer', 'row', 'tensor']);
export const loadModeSchema = z.enum(['none', 'mmap', 'mlock', 'mmap-mlock', 'direct-io']);
export const lazyModeSchema = z.enum(['off', 'auto', 'on']);
export const numaSchema = z.enum(['disabled', 'distribute', 'isolate', 'numactl', 'mirror']);
export const prioritySchema = z.enum(['low', 'normal', 'medium', 'high', 'realtime']);
export const logSinkSchema = z.enum(['file', 'null', 'off']);
export const affinitySchema = z.union([
  z.literal('default'),
  z
    .array(z.int().min(0).max(4095))
    .min(1)
    .refine((cpus) => new Set(cpus).size === cpus.length, {
      message: 'names a CPU twice',
    }),
]);

/** Everything that is the same in every trial of a campaign. */
export const executionSchema = z.strictObject({
  threads: z.int().min(1).max(512),
  threadsBatch: z.int().min(1).max(512),
  /** ggml thread pool: how hard waiting threads spin, 0 (sleep) to 100. */
  threadPoolPoll: z.int().min(0).max(100),
  threadPoolPriority: prioritySchema,
  threadPoolStrictCpu: z.boolean(),
  numa: numaSchema,
  affinity: affinitySchema,
  batch: z
    .int()
    .min(1)
    .max(1 << 20),
  ubatch: z
    .int()
    .min(1)
    .max(1 << 20),
  /** `as-needed`: S tokens in prefill, S + decodeSteps in decode, as llama-bench does. */
  contextSize: z.literal('as-needed'),
  flashAttention: flashAttentionSchema,
  kvTypeK: kvTypeSchema,
  kvTypeV: kvTypeSchema,
  kvOffload: z.boolean(),
  kvUnified: z.boolean(),
  swaFull: z.boolean(),
  /** `all`: every layer and the output on the device. On a CPU device there is nothing to offload. */
  gpuLayers: z.union([z.literal('all'), z.int().min(0).max(4096)]),
  splitMode: splitModeSchema,
  loadMode: loadModeSchema,
  lazyMode: lazyModeSchema,
  checkTensors: z.boolean(),
  /** CPU weight repacking and the like. */
  extraBufferTypes: z.boolean(),
  /** Whether host buffers may be used for data that moves to a GPU. */
  hostBuffers: z.boolean(),
  opOffload: z.boolean(),
  /** llama.cpp's own timers. */
  internalTimers: z.boolean(),
  /** Where llama.cpp's log goes: its cost is part of what is measured. */
  logSink: logSinkSchema,
});
export type Execution = z.infer<typeof executionSchema>;

const share = z.number().min(0).max(1);
/** Eleven days; timers of Node hold 24. */
const seconds = z.number().positive().max(1_000_000);

/** When a campaign may stop before its last round. Error rates hold for the whole family. */
export const stoppingSchema = z.strictObject({
  /** S1: open-ended, by e-values. S2: spends alpha up to the maximum, `processesPerItem` rounds. */
  method: z.enum(['S1', 'S2']),
  /** How probable a wrong decision may be, of one comparison or, corrected, of any. */
  alpha: z.number().gt(0).max(0.5),
  /** A ratio is slower or faster only when its interval is clear of 1 -+ this. */
  margin: z.number().min(0).lt(1),
  /** A ratio is equivalent when its interval lies within 1 -+ this; null: never. */
  equivalence: z.number().gt(0).lt(1).nullable(),
  /** bonferroni: each comparison has alpha over their number. */
  correction: z.enum(['bonferroni', 'none']),
  /** Every item against the reference of its phase, or the pairs that the plan declares. */
  comparisons: z.enum(['all-against-reference', 'declared']),
  /**
   * `open`: an item all of whose comparisons are decided is not measured any more, so that later
   * rounds have fewer trials. Absent: every item is measured in every round.
   */
  measured: z.literal('open').optional(),
});
export type Stopping = z.infer<typeof stoppingSchema>;

/** A model and S of the protocol's own. */
export const referenceSchema = z.strictObject({
  architecture: architectureSchema,
  quantization: quantizationSchema,
  sequenceLength: sequenceLengthSchema,
  weightSeed: seedSchema,
});
export type Reference = z.infer<typeof referenceSchema>;

/** The frozen rules of measuring. Its identity is the SHA-256 of its canonical JSON. */
export const protocolSchema = z.strictObject({
  format: z.literal('rooflaw-protocol'),
  formatVersion: versionOneSchema,
  name: nameSchema,
  description: z.string(),
  phases: z
    .array(phaseSchema)
    .min(1)
    .refine((phases) => new Set(phases).size === phases.length, {
      message: 'names a phase twice',
    }),
  decodeSteps: z.int().min(1).max(mostDecodeSteps),
  tokenSeed: seedSchema,
  /**
   * How the cache is filled before a repetition, outside the timer: computed again, which is what
   * absence means, or restored to what was computed once in the process.
   */
  cachePreparation: z.enum(['compute', 'restore']).optional(),
  /** A fresh process for every trial; with `stopping` this is the maximum. */
  processesPerItem: z.int().min(1).max(10_000),
  /** Absent: every item has `processesPerItem` trials. */
  stopping: stoppingSchema.optional(),
  repetitions: z.strictObject({
    warmup: z.int().min(0).max(10_000),
    kept: z.int().min(1).max(10_000),
  }),
  trialStatistic: z.literal('mean-of-kept'),
  representative: z.literal('median-of-trial-means'),
  /** `balanced-blocks`: an experiment's; each round is a block, and its arms have a balanced order. */
  order: z.enum(['randomised-rounds', 'balanced-blocks']),
  /** Measured in every round and phase against drift; part of the protocol, so its size is fixed. */
  reference: z.union([referenceSchema, z.literal('first-condition')]),
  execution: executionSchema,
  observation: z.strictObject({
    deviceState: z.enum(['trial-boundaries', 'none']),
    /** `by-arm`: as an experiment's arms say. */
    hostCounters: z.enum(['none', 'by-arm']),
    profiler: z.enum(['none', 'by-arm']),
    /** `each`: the time of every decode step. Absent: steps are timed together. */
    decodeSteps: z.literal('each').optional(),
  }),
  /** A bounded wait for an idle device before a trial, or null for none. */
  idleWait: z.strictObject({ maxSeconds: seconds, maxUtilisation: share }).nullable(),
  trialTimeLimitSeconds: seconds,
  flags: z.strictObject({
    /** Stable: both at most this. It is no test of equivalence. */
    stable: z.strictObject({ maxRelativeRange: share, maxInTrialCv: share }),
    /** Drift: strictly more than this between the medians of the first and the last rounds. */
    drift: z.strictObject({ minRounds: z.int().min(2), edgeRounds: z.int().min(1), above: share }),
  }),
  /** What may be left out of an analysis: nothing. */
  removal: z.literal('none'),
  tails: z.literal('reported-apart'),
  cost: z.literal('whole-hardware-time'),
});
export type Protocol = z.infer<typeof protocolSchema>;
