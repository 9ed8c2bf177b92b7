import { z } from 'zod';
import { nameSchema } from './architecture.ts';
import { executionSchema } from './protocol.ts';
import { launchSchema, treatmentSchema } from './treatment.ts';
import { versionOneSchema } from './version.ts';

const words = z.string().regex(/\S/, 'must have words');

/** What a trial is said to be by one number. Times are means over the kept repetitions unless the name says more. */
export const metricSchema = z.enum([
  'time',
  'first-repetition',
  'slowest-repetition',
  'main-cpu-time',
  'process-cpu-time',
  'time-off-cpu',
  'scheduler-wait',
  'migrations',
  'involuntary-switches',
  'voluntary-switches',
  'page-faults',
  'frequency',
  'preparation',
  'load',
  'process',
  /** Integer work: operations a second in the first slice over those of the last quarter. */
  'first-slice-throughput',
  /** The same ratio of the slices' frequencies. */
  'first-slice-frequency',
]);
export type Metric = z.infer<typeof metricSchema>;

/** One arm: a level of every factor, and what that changes against the plain trial. */
export const armSchema = z.strictObject({
  name: nameSchema,
  /** A level of each factor, by the factor's name. */
  levels: z.record(nameSchema, nameSchema),
  execution: executionSchema.partial().optional(),
  treatment: treatmentSchema.partial().optional(),
  launch: launchSchema.partial().optional(),
  cachePreparation: z.enum(['compute', 'restore']).optional(),
  repetitions: z
    .strictObject({ warmup: z.int().min(0).max(10_000), kept: z.int().min(1).max(10_000) })
    .optional(),
  /** Which weights: another seed, all of one value, or a file given with --trained. Absent: as planned. */
  weights: z
    .union([
      z.strictObject({
        seed: z
          .int()
          .min(0)
          .max(2 ** 32 - 1),
      }),
      z.literal('equal'),
      z.literal('trained'),
    ])
    .optional(),
});
export type Arm = z.infer<typeof armSchema>;

/** Ratio b / a of one number of a trial, paired inside blocks; within one arm of two numbers. */
export const experimentComparisonSchema = z.strictObject({
  name: nameSchema,
  a: z.strictObject({ arm: nameSchema, metric: metricSchema }),
  b: z.strictObject({ arm: nameSchema, metric: metricSchema }),
});
export type ExperimentComparison = z.infer<typeof experimentComparisonSchema>;

/**
 * A controlled experiment, declared before it runs. Its identity is the hash of its canonical JSON.
 * Nothing measured under it is ever pooled with anything else.
 */
export const experimentSchema = z.strictObject({
  format: z.literal('rooflaw-experiment'),
  formatVersion: versionOneSchema,
  name: nameSchema,
  question: words,
  factors: z.array(z.strictObject({ name: nameSchema, levels: z.array(nameSchema).min(1) })).min(1),
  arms: z.array(armSchema).min(1).max(64),
  /** Order of the arms inside a block: balanced for what comes before (Williams), for the place (Latin square), or drawn. */
  order: z.enum(['williams', 'latin-square', 'random']),
  /** Blocks, each with one process of every arm: the stopping count. */
  blocks: z.int().min(1).max(10_000),
  repetitions: z.strictObject({
    warmup: z.int().min(0).max(10_000),
    kept: z.int().min(1).max(10_000),
  }),
  cachePreparation: z.enum(['compute', 'restore']),
  /** The primary comparison first; the others are secondary. All of them are one family, with every condition. */
  comparisons: z.array(experimentComparisonSchema),
  /** The relative difference that matters, as a fraction. */
  effectThatMatters: z.number().gt(0).lt(1),
  correction: z.enum(['holm', 'none']),
  /** Arms whose slow repetitions are classified one by one; empty: none. */
  natural: z.array(nameSchema),
});
export type Experiment = z.infer<typeof experimentSchema>;
