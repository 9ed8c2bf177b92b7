import { z } from 'zod';
import { itemSchema, nameSchema, phaseSchema, seedSchema, sha256Schema } from './architecture.ts';
import { failureCodeSchema, fingerprintSchema } from './ledger.ts';
import { declarationSchema, modelSchema } from './plan.ts';
import { protocolSchema } from './protocol.ts';

/**
 * What a ledger says about its items, format 1: what `rooflaw analyze --json` prints and all that
 * a report reads. Fractions are fractions of 1, never percent. What cannot be said is null.
 */
const nanoseconds = z.number().min(0);
const count = z.int().min(0);
const fraction = z.number().min(0);

export const intervalSchema = z.strictObject({
  lowerNs: nanoseconds,
  upperNs: nanoseconds,
  /** What the interval really covers, as a number and as the exact fraction. */
  coverage: z.number().min(0).max(1),
  coverageFraction: z.string(),
  /** Places of its ends among the sorted trial means, from 1. */
  ranks: z.tuple([z.int().min(1), z.int().min(1)]),
});

export const itemAnalysisSchema = itemSchema.extend({
  /** Whether this is the protocol's reference, and whether the space asked for it. */
  isReference: z.boolean(),
  partOfSpace: z.boolean(),
  /** Valid trials: the sample size. Failed ones are not in it. */
  n: count,
  failed: count,
  /** Median of the trial means. */
  representativeNs: nanoseconds.nullable(),
  /** S tokens in prefill, the decode steps in decode, over the representative. */
  tokensPerSecond: z.number().positive().nullable(),
  interval: intervalSchema.nullable(),
  /** Of the trial means. */
  cv: z.strictObject({ value: fraction, ddof: z.literal(1) }).nullable(),
  /** Largest coefficient of variation of the kept repetitions in one trial, with ddof 1. */
  inTrialCvMax: fraction.nullable(),
  relativeRange: fraction.nullable(),
  stable: z.boolean().nullable(),
  tail: z
    .strictObject({
      maxOverMedian: z.number().min(1),
      /** Trials strictly above `threshold` times the median. */
      slowCount: count,
      threshold: z.number().gt(1),
    })
    .nullable(),
  /** Why a field above is null. */
  missing: z.array(z.strictObject({ field: z.string(), reason: z.string() })),
});
export type ItemAnalysis = z.infer<typeof itemAnalysisSchema>;

export const driftSchema = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('not-evaluable'),
    phase: phaseSchema,
    rounds: count,
    reason: z.string(),
  }),
  z.strictObject({
    state: z.literal('evaluated'),
    phase: phaseSchema,
    rounds: count,
    edgeRounds: z.int().min(1),
    firstMedianNs: nanoseconds,
    lastMedianNs: nanoseconds,
    /** last / first - 1. */
    change: z.number(),
    threshold: fraction,
    /** Strictly more than the threshold in either direction: marked for review. */
    exceeded: z.boolean(),
    /** How far a linear drift must go from the first to the last round to be seen. */
    linearDriftToReach: fraction,
  }),
]);
export type DriftAnalysis = z.infer<typeof driftSchema>;

export const costPartSchema = z.enum([
  /** Model and context. */
  'load',
  'warmup',
  /** Clearing, and in decode the prefill of S tokens, before warm-up and kept repetitions. */
  'warmup-preparation',
  'kept',
  'kept-preparation',
  /** Start and exit of the process and all else in it. */
  'process-rest',
  /** Whole processes of failed trials. */
  'failed',
  /** Whole processes that were interrupted, as far as known. */
  'interrupted',
  'device-reads',
  'idle-wait',
  'harness',
]);
export type CostPart = z.infer<typeof costPartSchema>;

export const costSchema = z.strictObject({
  /** The parts' exact sum. */
  totalNs: count,
  parts: z.array(z.strictObject({ part: costPartSchema, ns: z.int(), share: z.number() })),
  /** Interrupted attempts whose time nobody knows; not in the total. */
  attemptsOfUnknownCost: count,
});
export type Cost = z.infer<typeof costSchema>;

export const trialAnalysisSchema = z.strictObject({
  trial: count,
  /** Index into `items`. */
  item: count,
  round: count,
  position: count,
  session: count,
  attempts: z.int().min(1),
  /** `interrupted`: stopped and to be measured again; `pending`: begun, nothing known. */
  state: z.enum(['observed', 'failed', 'interrupted', 'pending']),
  trialMeanNs: nanoseconds.nullable(),
  inTrialCv: fraction.nullable(),
  processNs: count.nullable(),
});
export type TrialAnalysis = z.infer<typeof trialAnalysisSchema>;

/** Each repetition over the median of its own trial's kept ones; over all valid trials. */
export const warmupSchema = z.strictObject({
  item: count,
  n: count,
  median: z.array(fraction),
  minimum: z.array(fraction),
  maximum: z.array(fraction),
});
export type Warmup = z.infer<typeof warmupSchema>;

export const identitySchema = z.strictObject({
  /** The sentence that every table and report carries. */
  label: z.string(),
  isV1: z.boolean(),
  /** Only results with the same key may be pooled: protocol, backend, models and device. */
  baselineKey: sha256Schema,
  protocol: z.strictObject({
    name: nameSchema,
    sha256: sha256Schema,
    /** Name under which exactly these rules are shipped, or null for somebody's own. */
    shippedAs: nameSchema.nullable(),
  }),
  plan: z.strictObject({ sha256: sha256Schema, scheduleSeed: seedSchema }),
  space: z.strictObject({ name: nameSchema, sha256: sha256Schema }),
  backend: z.strictObject({
    name: z.string(),
    release: z.string().nullable(),
    commit: z.string().nullable(),
    sourceTreeHash: z.string().nullable(),
    sha256: sha256Schema,
    runnerSha256: sha256Schema,
    libraryCount: count,
    patchCount: count,
    compiler: z.string(),
  }),
  device: z.string(),
  fingerprint: fingerprintSchema,
  models: z.array(modelSchema),
  program: z.strictObject({
    version: z.string(),
    gitCommit: z.string().nullable(),
    gitDirty: z.boolean().nullable(),
  }),
});
export type Identity = z.infer<typeof identitySchema>;

export const progressSchema = z.strictObject({
  planned: count,
  observed: count,
  failed: count,
  interrupted: count,
  pending: count,
  notStarted: count,
  complete: z.boolean(),
});

export const analysisSchema = z.strictObject({
  format: z.literal('rooflaw-analysis'),
  formatVersion: z.literal(1),
  name: nameSchema,
  startedAt: z.iso.datetime(),
  identity: identitySchema,
  /** Declared before the first trial. */
  declaration: declarationSchema.extend({ representative: z.string() }),
  protocol: protocolSchema,
  progress: progressSchema,
  items: z.array(itemAnalysisSchema),
  drift: z.array(driftSchema),
  cost: costSchema,
  trials: z.array(trialAnalysisSchema),
  warmup: z.array(warmupSchema),
  failures: z.array(
    z.strictObject({ trial: count, item: count, code: failureCodeSchema, message: z.string() }),
  ),
  sessions: z.array(
    z.strictObject({
      session: count,
      time: z.iso.datetime(),
      trials: count,
      differences: z.array(z.string()),
      tornLine: z.boolean(),
    }),
  ),
  /** Number of system starts the sessions span; null where the system names none. */
  boots: count.nullable(),
  /** Trials by what was seen of others' work on the device at their boundaries. */
  otherUse: z.strictObject({ seen: count, notSeen: count, notVisible: count }),
  /** A person's words, all written after the plan was fixed. */
  notes: z.array(z.strictObject({ time: z.iso.datetime(), afterTrials: count, text: z.string() })),
  /** What the numbers do not say, in sentences. */
  caveats: z.array(z.string()),
});
export type Analysis = z.infer<typeof analysisSchema>;
