import { z } from 'zod';
import { itemSchema, nameSchema, phaseSchema, seedSchema, sha256Schema } from './architecture.ts';
import { failureCodeSchema, fingerprintSchema } from './ledger.ts';
import { declarationSchema, modelSchema } from './plan.ts';
import { protocolSchema } from './protocol.ts';
import { sequentialSchema } from './sequential.ts';

/**
 * What a ledger says about its items, format 1: what `rooflaw analyze --json` prints and all that
 * a report reads. Fractions are fractions of 1, never percent. What cannot be said is null.
 */
const nanoseconds = z.number().min(0);
const count = z.int().min(0);
const fraction = z.number().min(0);
const probability = z.number().min(0).max(1);

export const intervalSchema = z.strictObject({
  lowerNs: nanoseconds,
  upperNs: nanoseconds,
  /** What the interval really covers, as a number and as the exact fraction. */
  coverage: z.number().min(0).max(1),
  coverageFraction: z.string(),
  /** Places of its ends among the sorted trial means, from 1. */
  ranks: z.tuple([z.int().min(1), z.int().min(1)]),
});

/** The same for one of a family, wide enough that all of them hold at once (Bonferroni). */
export const simultaneousIntervalSchema = intervalSchema.extend({
  /** What the whole family covers at least, under any dependence between its items. */
  jointCoverage: probability,
  jointCoverageFraction: z.string(),
  familySize: z.int().min(1),
  /** upper / lower: above 1 + target these intervals cannot separate the target difference. */
  upperOverLower: z.number().min(1),
});

/** Detection rates of differences that were put into the item's own trials, with replacement. */
export const injectionSchema = z.array(
  z.strictObject({
    /** What one group was multiplied by, minus 1; 0 stands beside the others for comparison. */
    change: z.number(),
    rate: probability,
  }),
);

/** Spearman's rank correlation of trial mean and place in the campaign. */
export const trendSchema = z.strictObject({
  rho: z.number().min(-1).max(1),
  pValue: probability,
  method: z.enum(['exact', 'permutation', 'approximate']),
  /** Holm over all items of the campaign: the family is named in the output. */
  adjustedPValue: probability,
  /** The least that `pValue` could have been with so many trials, before the correction. */
  smallestP: probability,
});

/** Two clusters of trial means. A flag to look, no test. */
export const twoSpeedSchema = z.strictObject({
  isTwoSpeed: z.boolean(),
  fastCount: count,
  slowCount: count,
  fastNs: nanoseconds,
  slowNs: nanoseconds,
  relativeGap: fraction,
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
  simultaneousInterval: simultaneousIntervalSchema.nullable(),
  /** Largest distance of the interval's ends from the representative, relative to it. */
  endpointDistance: fraction.nullable(),
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
      /**
       * Clopper-Pearson bounds (two-sided, 95 %) of the share of slow trials, with the threshold taken
       * as fixed. null with two speeds: then the threshold moves with the median between them.
       */
      slowLowerBound: probability.nullable(),
      slowUpperBound: probability.nullable(),
      /** The quantile that the largest of n trials bounds with 95 % confidence: .741 for n = 10. */
      boundedQuantile: probability,
    })
    .nullable(),
  injection: injectionSchema.nullable(),
  trend: trendSchema.nullable(),
  twoSpeed: twoSpeedSchema.nullable(),
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

/** How many items carry the stable flag in each subset of so many rounds. They share samples. */
export const roundSubsetsSchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('not-evaluable'), reason: z.string() }),
  z.strictObject({
    state: z.literal('evaluated'),
    /** Rounds in which every item has a valid trial. */
    rounds: count,
    size: count,
    subsets: count,
    isExhaustive: z.boolean(),
    minimum: count,
    maximum: count,
    mean: z.number().min(0),
    /** At index k: subsets in which k items pass. */
    histogram: z.array(count),
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

/** Can the target difference be explored with this data? Never: is it confirmed. */
export const closureSchema = z.strictObject({
  targetDifference: z.number().gt(0).lt(1),
  rule: z.literal('largest-endpoint-distance'),
  maxShareOfTarget: z.number().gt(0).max(1),
  /** maxShareOfTarget x targetDifference: an item's largest endpoint distance may be this. */
  limit: fraction,
  /** Declared before the first trial, asked for afterwards, or declared by nobody. */
  targetSource: z.enum(['plan', 'command-line', 'default']),
  items: z.array(
    z.strictObject({
      /** Index into `items` of the analysis. */
      item: count,
      state: z.enum(['explorable', 'not-explorable', 'not-evaluable']),
      endpointDistance: fraction.nullable(),
      /** The smallest target that the rule would call explorable here. */
      smallestTarget: fraction.nullable(),
      /** Whether the item's simultaneous interval is narrower than 1 + target. */
      simultaneousSeparates: z.boolean().nullable(),
      /** Injection at +target and at 0. */
      injectionRate: probability.nullable(),
      injectionRateAtZero: probability.nullable(),
      /**
       * Trials of the item, in all, from which on the distance would stay within the limit if further
       * ones are spread like these: more than n, or for an explorable item at most n. About: in redraws
       * of these trials it is reached in half to nine tenths, in fewer where they fall into groups. null when not evaluable or beyond 10,000
       * (`reason` says which).
       */
      trialsNeeded: count.nullable(),
      reason: z.string(),
    }),
  ),
  family: z.strictObject({
    state: z.enum(['explorable', 'not-explorable', 'not-evaluable']),
    items: count,
    explorable: count,
    largestCv: fraction.nullable(),
    largestEndpointDistance: fraction.nullable(),
    smallestTarget: fraction.nullable(),
    /** The most any item needs; null when one is not evaluable or beyond reach. */
    trialsNeeded: count.nullable(),
    largestUpperOverLower: z.number().min(1).nullable(),
    /** Items whose simultaneous interval spans more than 1 + target. */
    cannotSeparate: count,
    jointCoverage: probability.nullable(),
    lowestInjectionRate: probability.nullable(),
    /** Indices into `items` of those that hold it up, worst first. */
    limitedBy: z.array(count),
  }),
  /** The answer in sentences, then what they do not show. */
  sentences: z.array(z.string()),
  doesNotShow: z.array(z.string()),
  /** The conditions under which diagnosis is taken up again. */
  reopening: z.array(
    z.strictObject({
      condition: z.enum([
        'reference-drift',
        'environment-mismatch',
        'uncertainty-too-large',
        'tails-are-a-goal',
      ]),
      /** null: cannot be judged from this data. */
      met: z.boolean().nullable(),
      why: z.string(),
      /** The experiment of `rooflaw diagnose` that would look into it, when it is met. */
      experiment: z.string().nullable(),
    }),
  ),
});
export type Closure = z.infer<typeof closureSchema>;

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
  /** A person's words, all written after the plan was fixed. */
  notes: z.array(z.strictObject({ time: z.iso.datetime(), afterTrials: count, text: z.string() })),
});
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
