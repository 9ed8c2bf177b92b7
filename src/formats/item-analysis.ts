import { z } from 'zod';
import { itemSchema } from './architecture.ts';

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
