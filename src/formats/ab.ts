import { z } from 'zod';
import { nameSchema, phaseSchema, sha256Schema } from './architecture.ts';
import { disturbanceSchema, verdictSchema } from './comparison.ts';
import { executionSchema } from './protocol.ts';

/**
 * What `rooflaw ab --json` and `rooflaw gate --json` print, format 1. Ratios are time of the second
 * side over time of the first; shares are fractions of 1, never percent; what cannot be said is null.
 */
const count = z.int().min(0);
const nanoseconds = z.number().min(0);
const rate = z.number().positive().nullable();
const share = z.number().gt(0).lt(1);

const ratioIntervalSchema = z
  .strictObject({ lower: z.number().positive(), upper: z.number().positive() })
  .nullable();

/** One side: a model under options on a build. Two sides are the same when all but `label` is. */
export const abSideSchema = z.strictObject({
  /** As it was given: a folder, a file, or options. */
  label: z.string(),
  model: z.strictObject({ name: nameSchema, file: z.string(), sha256: sha256Schema }),
  backend: z.strictObject({
    /** As the plan and the ledger call it. */
    label: nameSchema,
    commit: z.string().nullable(),
    /** Of the canonical JSON of the libraries' names and hashes. */
    librariesSha256: sha256Schema,
    runnerSha256: sha256Schema,
  }),
  execution: executionSchema,
});
export type AbSide = z.infer<typeof abSideSchema>;

/** One test, as llama-bench names it. */
const testShape = {
  name: z.string(),
  phase: phaseSchema,
  /** Inside the timer. */
  tokens: z.int().min(1),
  /** In the cache before. */
  depth: count,
  /**
   * The sides differ in options, but come to the same here: llama.cpp lowers a batch to the context.
   * Absent: they do not.
   */
  isSame: z.literal(true).optional(),
};

/** What was found of one pair in one test. */
const pairShape = {
  /** Medians of the trial means in the rounds that were followed. */
  aNs: nanoseconds.nullable(),
  bNs: nanoseconds.nullable(),
  aTokensPerSecond: rate,
  bTokensPerSecond: rate,
  /** Median over the rounds of time of b over time of a. */
  ratio: z.number().positive().nullable(),
  /** What the intervals after all rounds have in common; it decides. */
  interval: ratioIntervalSchema,
  /**
   * `ratio` lies outside of `interval`: the ratio changed during the run, so that neither describes it;
   * chance alone does this rarely. Absent: it lies inside, or one of them is null.
   */
  isMedianOutside: z.literal(true).optional(),
  /** Rounds in which both have a valid trial. */
  pairs: count,
  /** Why `interval` is null. */
  reason: z.string().nullable(),
};
export const abPairSchema = z.strictObject(pairShape);
export type AbPair = z.infer<typeof abPairSchema>;

export const abTestSchema = z.strictObject({
  ...testShape,
  ...pairShape,
  /** Of b against a. */
  verdict: verdictSchema,
  /** Rounds after which it was decided, and kept; null while it is inconclusive. */
  decidedAfter: z.int().min(1).nullable(),
});
export type AbTest = z.infer<typeof abTestSchema>;

/** What both sides share, and what is its own of each. */
const sameness = {
  same: z.array(z.strictObject({ what: z.string(), value: z.string() })),
  different: z.array(z.strictObject({ what: z.string(), a: z.string(), b: z.string() })),
};

const repetitions = z.strictObject({ warmup: count, kept: z.int().min(1) });
const device = z.strictObject({ name: z.string(), description: z.string() });

export const abSchema = z.strictObject({
  format: z.literal('rooflaw-ab'),
  formatVersion: z.literal(1),
  campaign: nameSchema,
  /** A/A: nothing differs, so that every difference that is called is a false alarm. */
  isSame: z.boolean(),
  a: abSideSchema,
  b: abSideSchema,
  ...sameness,
  device,
  rule: z.strictObject({
    method: z.literal('S2'),
    /** Of any wrong decision in any test. */
    alpha: z.number().gt(0).max(0.5),
    /** Comparisons that share it. */
    family: z.int().min(1),
    margin: z.number().min(0).lt(1),
    equivalence: share.nullable(),
    earliestRounds: z.int().min(1),
    maximumRounds: z.int().min(1),
  }),
  repetitions,
  /** Finished ones. */
  rounds: count,
  failedTrials: count,
  tests: z.array(abTestSchema).min(1),
  disturbance: disturbanceSchema,
});
export type Ab = z.infer<typeof abSchema>;

/** What an interval of candidate / base says about the most that was allowed. */
export const gateTestVerdictSchema = z.enum(['pass', 'regression', 'inconclusive']);
export type GateTestVerdict = z.infer<typeof gateTestVerdictSchema>;

/** Of base against itself: within the limit, clear of it, or not shown to be either. */
export const gateFitnessSchema = z.enum(['fit', 'differs', 'not-shown']);
export type GateFitness = z.infer<typeof gateFitnessSchema>;

/** `unfit`: base was not shown to be as fast as itself, so nothing is said about the candidate. */
export const gateVerdictSchema = z.enum(['pass', 'regression', 'inconclusive', 'unfit', 'broken']);
export type GateVerdict = z.infer<typeof gateVerdictSchema>;

export const gateTestSchema = z.strictObject({
  ...testShape,
  /** As if the machine were fit; it counts only when it is. */
  verdict: gateTestVerdictSchema,
  fitness: gateFitnessSchema,
  /** b is the candidate, a is base. */
  candidate: abPairSchema,
  /** b is base a second time. */
  again: abPairSchema,
});
export type GateTest = z.infer<typeof gateTestSchema>;

export const gateSchema = z.strictObject({
  format: z.literal('rooflaw-gate'),
  formatVersion: z.literal(1),
  verdict: gateVerdictSchema,
  /** One sentence: why this verdict. */
  reason: z.string(),
  /** Allowed: candidate / base up to 1 + this; null: the command line could not be read. */
  maxSlowdown: share.nullable(),
  timeLimitNs: nanoseconds.nullable(),
  /** From the start of the command, pilot included. */
  tookNs: nanoseconds,
  /** null: nothing that could be judged. */
  measured: z
    .strictObject({
      campaign: nameSchema,
      base: abSideSchema,
      candidate: abSideSchema,
      ...sameness,
      device,
      /** Of any wrong verdict, A/A included. */
      alpha: z.number().gt(0).max(0.5),
      /** Intervals that share it: two a test. */
      family: z.int().min(1),
      repetitions,
      rounds: count,
      plannedRounds: z.int().min(1),
      /** Time was up before the last planned round. */
      isCutShort: z.boolean(),
      failedTrials: count,
      tests: z.array(gateTestSchema).min(1),
      disturbance: disturbanceSchema,
    })
    .nullable(),
});
export type Gate = z.infer<typeof gateSchema>;
