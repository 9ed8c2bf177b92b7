import { z } from 'zod';
import { driftSchema, identitySchema } from './analysis.ts';
import { itemSchema, nameSchema } from './architecture.ts';
import { intervalSchema } from './item-analysis.ts';
import { versionOneSchema } from './version.ts';

const nanoseconds = z.number().min(0);
const count = z.int().min(0);
const fraction = z.number().min(0);

/** A time that each process has, over the processes. */
export const timeAcrossSchema = z.strictObject({
  medianNs: nanoseconds,
  /** Order-statistic interval of the median; null with fewer than 6 processes. */
  interval: intervalSchema.nullable(),
  /** Largest distance of the interval's ends from the median, relative to it. */
  endpointDistance: fraction.nullable(),
});
export type TimeAcross = z.infer<typeof timeAcrossSchema>;

/** The same of a ratio. */
export const ratioAcrossSchema = z.strictObject({
  median: fraction,
  interval: intervalSchema
    .omit({ lowerNs: true, upperNs: true })
    .extend({ lower: fraction, upper: fraction })
    .nullable(),
  endpointDistance: fraction.nullable(),
});
export type RatioAcross = z.infer<typeof ratioAcrossSchema>;

/** One process: everything over its kept repetitions, but for `ownFirstTokenNs`. */
export const tokenProcessSchema = z.strictObject({
  trial: count,
  round: count,
  meanStepNs: nanoseconds,
  /** Of an even number of steps the mean of the middle two. */
  medianStepNs: nanoseconds,
  /** The step at rank ceil(q N) of the N steps in ascending order; so are p99 and p99.9. */
  p90Ns: nanoseconds,
  p99Ns: nanoseconds,
  /** null where that is the slowest step. */
  p999Ns: nanoseconds.nullable(),
  slowestStepNs: nanoseconds,
  /** Median of the first and of the last eighth of the steps of a repetition, all repetitions together. */
  firstEighthNs: nanoseconds.nullable(),
  lastEighthNs: nanoseconds.nullable(),
  /** Mean time of computing the prompt; null where it is not computed in every repetition. */
  prefillNs: nanoseconds.nullable(),
  /** Mean of prefill + first step. */
  firstTokenNs: nanoseconds.nullable(),
  /** From the start of the process to the model and its context. */
  loadNs: nanoseconds,
  firstTokenWithLoadNs: nanoseconds.nullable(),
  /** Load + prefill + first step of the first repetition, kept or warm-up: nothing has run before it. */
  ownFirstTokenNs: nanoseconds.nullable(),
  clockNs: nanoseconds.nullable(),
  slowSteps: count,
  slowNs: nanoseconds,
});
export type TokenProcess = z.infer<typeof tokenProcessSchema>;

/** How many slow steps fell on some of the places of a repetition. */
const placeSchema = z.strictObject({
  /** Places of this kind in a repetition. */
  steps: count,
  count,
  /** Mean and standard deviation if every place were alike: binomial, of all slow steps. */
  expected: fraction,
  standardDeviation: fraction,
});

/** Steps above `timesMedian` times the median step of their process. */
export const slowStepsSchema = z.strictObject({
  timesMedian: z.number().gt(1),
  count,
  /** All kept steps of all processes. */
  ofSteps: count,
  /** Of the time of all these steps, what the slow ones took. */
  shareOfTime: z.number().min(0).max(1),
  /** Processes that have any. */
  processes: count,
  /** By place in the repetition, from 0; places without a slow step are left out. */
  byStep: z.array(z.strictObject({ step: count, count })),
  /** Of one place, if every place were alike: binomial. */
  expectedPerStep: z.strictObject({ mean: fraction, standardDeviation: fraction }),
  /** The place with most, the earliest of several; null without slow steps. */
  most: z.strictObject({ step: count, count }).nullable(),
  firstStep: placeSchema,
  /** The first step with another 256 tokens in the cache: llama.cpp then computes over a longer part of it. */
  cacheBorders: placeSchema,
  /** The longest first. */
  listed: z.array(
    z.strictObject({
      trial: count,
      /** In the process, from 0, warm-up counted. */
      repetition: count,
      step: count,
      stepNs: nanoseconds,
      processMedianNs: nanoseconds,
    }),
  ),
  notListed: count,
});
export type SlowSteps = z.infer<typeof slowStepsSchema>;

export const tokenItemSchema = itemSchema.extend({
  /** Processes: the sample size. Failed ones are not in it. */
  n: count,
  failed: count,
  /** Of one repetition, and kept ones of one process. */
  steps: z.int().min(1),
  stepsPerProcess: z.int().min(1),
  meanStep: timeAcrossSchema.nullable(),
  /** 1 over the median of the mean steps. */
  tokensPerSecond: z.number().positive().nullable(),
  medianStep: timeAcrossSchema.nullable(),
  p90: timeAcrossSchema.nullable(),
  p99: timeAcrossSchema.nullable(),
  p999: timeAcrossSchema.nullable(),
  slowestStep: timeAcrossSchema.nullable(),
  /** Steps of a process at ranks above the percentile's. */
  beyond: z.strictObject({ p90: count, p99: count, p999: count }),
  growth: z
    .strictObject({
      /** Steps at each end of a repetition. */
      steps: z.int().min(1),
      first: timeAcrossSchema,
      last: timeAcrossSchema,
      lastOverFirst: ratioAcrossSchema.nullable(),
    })
    .nullable(),
  /** Median step at each place of a repetition, in a process and of these over the processes; empty without one. */
  profileNs: z.array(nanoseconds),
  prefill: timeAcrossSchema.nullable(),
  firstToken: timeAcrossSchema.nullable(),
  firstTokenWithLoad: timeAcrossSchema.nullable(),
  ownFirstToken: timeAcrossSchema.nullable(),
  /** Median over the processes of what one reading costs; each step holds one. */
  clock: z
    .strictObject({ readingNs: nanoseconds, shareOfMedianStep: fraction.nullable() })
    .nullable(),
  slow: slowStepsSchema.nullable(),
  processes: z.array(tokenProcessSchema),
  /** Why a field above is null, or has no interval. */
  missing: z.array(z.strictObject({ field: z.string(), reason: z.string() })),
});
export type TokenItem = z.infer<typeof tokenItemSchema>;

/** What `rooflaw tokens --json` prints. */
export const tokenAnalysisSchema = z.strictObject({
  format: z.literal('rooflaw-token-analysis'),
  formatVersion: versionOneSchema,
  name: nameSchema,
  startedAt: z.iso.datetime(),
  identity: identitySchema,
  repetitions: z.strictObject({ warmup: count, kept: count }),
  cachePreparation: z.enum(['compute', 'restore']),
  /** Decode trials: all that the plan asks for, and what became of those that were begun. */
  progress: z.strictObject({ planned: count, observed: count, failed: count }),
  /** Whether others were seen at work at the boundaries of the finished trials. */
  otherUse: z.strictObject({ seen: count, notSeen: count, notVisible: count }),
  sessions: count,
  /** Sentences about what differed between sessions. */
  environmentDifferences: z.array(z.string()),
  /** Of the reference, from the first rounds to the last, as in `rooflaw analyze`. */
  drift: z.array(driftSchema),
  /** What drift was looked for in where the protocol has no reference of its own. */
  firstItem: itemSchema.optional(),
  /** The decode items of the plan, in its order. */
  items: z.array(tokenItemSchema),
  /** What must be read before any number, besides a drift that is marked. */
  warnings: z.array(z.string()),
  caveats: z.array(z.string()),
});
export type TokenAnalysis = z.infer<typeof tokenAnalysisSchema>;
