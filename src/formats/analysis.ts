import { z } from 'zod';
import { nameSchema, phaseSchema, seedSchema, sha256Schema } from './architecture.ts';
import { closureSchema } from './closure.ts';
import { itemAnalysisSchema } from './item-analysis.ts';
import { failureCodeSchema, fingerprintSchema, noteAuthor } from './ledger.ts';
import { declarationSchema, modelSchema } from './plan.ts';
import { executionSchema, protocolSchema } from './protocol.ts';
import { sequentialSchema } from './sequential.ts';

/**
 * What a ledger says about its items, format 1: what `rooflaw analyze --json` prints and all that
 * a report reads. Fractions are fractions of 1, never percent. What cannot be said is null.
 */
const nanoseconds = z.number().min(0);
const count = z.int().min(0);
const fraction = z.number().min(0);
const probability = z.number().min(0).max(1);

/**
 * Rounds after which the stopping rule did without the item that is looked at, while others were still
 * measured: what drifted later is not seen. Absent: it was measured to the end.
 */
const leftOutAfter = z.int().min(1).optional();

export const driftSchema = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('not-evaluable'),
    phase: phaseSchema,
    rounds: count,
    reason: z.string(),
    leftOutAfter,
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
    leftOutAfter,
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
  /** null where only a table of trials is there. */
  session: count.nullable(),
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
  /**
   * Advice, changes nothing: the repetition (from 0) at which the last level of `median` begins. It
   * speaks of the median over trials, not of each process.
   */
  steadyFrom: count.nullable(),
  /** Why it cannot be said, where it is null. */
  steadyReason: z.string().nullable(),
});
export type Warmup = z.infer<typeof warmupSchema>;

/** Items with the stable flag, counted over subsets of `size` rounds. */
export const subsetCountsShape = {
  size: count,
  subsets: count,
  isExhaustive: z.boolean(),
  minimum: count,
  maximum: count,
  mean: z.number().min(0),
  /** At index k: subsets in which k items pass. */
  histogram: z.array(count),
};

/** How many items carry the stable flag in each subset of so many rounds. They share samples. */
export const roundSubsetsSchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('not-evaluable'), reason: z.string() }),
  z.strictObject({
    state: z.literal('evaluated'),
    /** Rounds in which every item has a valid trial. */
    rounds: count,
    ...subsetCountsShape,
  }),
]);
export type RoundSubsetsAnalysis = z.infer<typeof roundSubsetsSchema>;

/** Whether trials late in a round are slower or faster than early ones; one entry a phase. */
export const orderEffectSchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('not-evaluable'), phase: phaseSchema, reason: z.string() }),
  z.strictObject({
    state: z.literal('evaluated'),
    phase: phaseSchema,
    /** Median over rounds of (median residual of the later half - of the earlier), a fraction. */
    medianDifference: z.number(),
    rounds: count,
    laterSlower: count,
    laterFaster: count,
    ties: count,
    /** Sign test over rounds, two-sided, exact. */
    pValue: probability,
  }),
]);
export type OrderEffect = z.infer<typeof orderEffectSchema>;

/** How to spend hardware time on an item next time (Kalibera & Jones 2013). Changes nothing here. */
export const allocationSchema = z.strictObject({
  item: count,
  /** Mean costs seen: one more kept repetition, and one more process with its load and warm-up. */
  repetitionCostNs: nanoseconds.nullable(),
  processCostNs: nanoseconds.nullable(),
  /** Relative variances, squared fractions of the mean. */
  withinVariance: fraction.nullable(),
  betweenComponent: z.number().nullable(),
  /** Before rounding up; null when the variance between processes vanishes. */
  optimalRepetitions: fraction.nullable(),
  advice: z
    .strictObject({
      repetitions: z.int().min(1),
      processes: z.int().min(1),
      /** Hardware time for the same precision over that of this campaign. */
      costShare: fraction,
    })
    .nullable(),
  /** Why a field above is null, or null when none is. */
  reason: z.string().nullable(),
});
export type ItemAllocation = z.infer<typeof allocationSchema>;

/** The rules that flags were judged by, and where they come from. */
export const rulesSchema = z.strictObject({
  source: z.enum(['protocol', 'v1-defaults']),
  stable: protocolSchema.shape.flags.shape.stable,
  drift: protocolSchema.shape.flags.shape.drift,
});

/** A llama.cpp build and its runner, in short. */
export const backendIdentitySchema = z.strictObject({
  name: z.string(),
  release: z.string().nullable(),
  commit: z.string().nullable(),
  sourceTreeHash: z.string().nullable(),
  sha256: sha256Schema,
  runnerSha256: sha256Schema,
  libraryCount: count,
  patchCount: count,
  compiler: z.string(),
});
export type BackendIdentity = z.infer<typeof backendIdentitySchema>;

/** One backend with one set of options. */
export const variantIdentitySchema = z.strictObject({
  name: nameSchema,
  /** Label of its backend in the plan. */
  backend: nameSchema,
  /** Of its whole execution and its backend's build, whatever either is called. */
  sha256: sha256Schema,
  /** Settings in which its execution differs from the protocol's, with its own values. */
  changes: executionSchema.partial(),
});
export type VariantIdentity = z.infer<typeof variantIdentitySchema>;

export const identitySchema = z.strictObject({
  /** The sentence that every table and report carries. */
  label: z.string(),
  isV1: z.boolean(),
  /** Only results with the same key may be pooled: protocol, backends, variants, models and device. */
  baselineKey: sha256Schema,
  protocol: z.strictObject({
    name: nameSchema,
    sha256: sha256Schema,
    /** Name under which exactly these rules are shipped, or null for somebody's own. */
    shippedAs: nameSchema.nullable(),
  }),
  plan: z.strictObject({ sha256: sha256Schema, scheduleSeed: seedSchema }),
  space: z.strictObject({ name: nameSchema, sha256: sha256Schema }).nullable(),
  /** With variants, that of the first. */
  backend: backendIdentitySchema,
  /** The others that variants run on, by their labels; absent where there is one backend. */
  otherBackends: z
    .array(z.strictObject({ label: nameSchema, backend: backendIdentitySchema }))
    .optional(),
  /** Of a plan with variants, in its order. */
  variants: z.array(variantIdentitySchema).optional(),
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

/** null: no plan came with a table, and nobody can tell from it what is missing. */
export const progressSchema = z.strictObject({
  planned: count.nullable(),
  observed: count,
  failed: count,
  interrupted: count,
  pending: count,
  notStarted: count.nullable(),
  complete: z.boolean().nullable(),
});

/** What is said of samples, wherever they come from. */
const sampleAnalysisShape = {
  format: z.literal('rooflaw-analysis'),
  formatVersion: z.literal(1),
  name: nameSchema,
  progress: progressSchema,
  rules: rulesSchema,
  items: z.array(itemAnalysisSchema),
  drift: z.array(driftSchema),
  roundSubsets: roundSubsetsSchema,
  orderEffect: z.array(orderEffectSchema),
  closure: closureSchema,
  trials: z.array(trialAnalysisSchema),
  /** Empty where the repetitions are not there. */
  warmup: z.array(warmupSchema),
  allocation: z.array(allocationSchema),
  /** What the numbers do not say, in sentences. */
  caveats: z.array(z.string()),
};

/** From a ledger: everything. */
export const campaignAnalysisSchema = z.strictObject({
  ...sampleAnalysisShape,
  evidence: z.literal('ledger'),
  startedAt: z.iso.datetime(),
  identity: identitySchema,
  /** Declared before the first trial. */
  declaration: declarationSchema.extend({ representative: z.string() }),
  protocol: protocolSchema,
  /** What the protocol's stopping rule has decided; null where the rounds are fixed. */
  sequential: sequentialSchema.nullable(),
  cost: costSchema,
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
  /** A person's words, written after the plan was fixed; of the program where `author` is `rooflaw`. */
  notes: z.array(
    z.strictObject({ time: z.iso.datetime(), afterTrials: count, text: z.string(), ...noteAuthor }),
  ),
});
/** Whether a note is somebody's words, said after the fact, and not what the program saw happen. */
export const isByPerson = ({ author }: { author?: 'rooflaw' | undefined }): boolean =>
  author === undefined;

export type Analysis = z.infer<typeof campaignAnalysisSchema>;

/** From a public table of trials: no ledger vouches for it. */
export const tableAnalysisSchema = z.strictObject({
  ...sampleAnalysisShape,
  evidence: z.literal('trial-table'),
  /** As the table names them. */
  protocolName: z.string(),
  device: z.string(),
  /** Where the table was published with them. */
  declaration: declarationSchema.nullable(),
  protocol: protocolSchema.nullable(),
  /** As from a ledger; also null, with an entry in `absent`, where no plan came with the table. */
  sequential: sequentialSchema.nullable(),
  /** Whether the plan's models were generated with random weights or are files; absent: no plan came. */
  weights: z.enum(['random', 'files', 'both']).optional(),
  /** What cannot be said without a ledger, each with its reason. */
  absent: z.array(z.strictObject({ field: z.string(), reason: z.string() })),
});
export type TableAnalysis = z.infer<typeof tableAnalysisSchema>;

export const analysisSchema = z.discriminatedUnion('evidence', [
  campaignAnalysisSchema,
  tableAnalysisSchema,
]);
/** What is the same in both. */
export type SampleAnalysis = Analysis | TableAnalysis;
