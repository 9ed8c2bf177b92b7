import { z } from 'zod';
import { itemSchema, nameSchema, sha256Schema } from './architecture.ts';
import { comparisonEvidenceSchema } from './ledger.ts';
import { stoppingSchema } from './protocol.ts';

const nanoseconds = z.number().min(0);
const count = z.int().min(0);

/** A comparison under a stopping rule, as it stands after the last round that was followed. */
export const followedComparisonSchema = comparisonEvidenceSchema.omit({ a: true, b: true }).extend({
  /** Indices into `items`; every ratio is time of b over time of a. */
  a: count,
  b: count,
  /** Medians of the trial means in the rounds that were followed. */
  aNs: nanoseconds.nullable(),
  bNs: nanoseconds.nullable(),
  /** Rounds after which it was decided; null while it is open. */
  decidedAfter: z.int().min(1).nullable(),
  /** Why `running` is null. */
  reason: z.string().nullable(),
});
export type FollowedComparison = z.infer<typeof followedComparisonSchema>;

/** What a stopping rule made of a campaign. */
export const sequentialSchema = z.strictObject({
  rule: stoppingSchema,
  /** Comparisons that share alpha. */
  family: z.int().min(1),
  /** What `correction` leaves each of them. */
  alphaOfEach: z.number().gt(0).max(0.5),
  /** Before so many rounds nothing can be decided. */
  earliestRounds: z.int().min(1),
  maximumRounds: z.int().min(1),
  /** Finished rounds, up to the stop. */
  rounds: count,
  stopped: z.boolean(),
  decided: count,
  comparisons: z.array(followedComparisonSchema).min(1),
});
export type SequentialAnalysis = z.infer<typeof sequentialSchema>;

export const replayLabel =
  'a replay of recorded data; no error guarantee is claimed if the rule was chosen after looking';

const namedProtocolSchema = z.strictObject({
  name: nameSchema,
  sha256: sha256Schema,
  shippedAs: nameSchema.nullable(),
});

/** What `rooflaw analyze CAMPAIGN --replay PROTOCOL --json` prints, format 1. */
export const replaySchema = z.strictObject({
  format: z.literal('rooflaw-replay'),
  formatVersion: z.literal(1),
  label: z.literal(replayLabel),
  campaign: nameSchema,
  measuredUnder: namedProtocolSchema,
  /** Only its stopping rule and its maximum are used; the trials are those that were recorded. */
  replayedUnder: namedProtocolSchema,
  items: z.array(itemSchema),
  /** Finished rounds, their trials, and what these took in all, in ns. */
  recorded: z.strictObject({ rounds: count, trials: count, hardwareNs: count }),
  sequential: sequentialSchema,
  /** Where the rule would have ended it; null: not within what was recorded. */
  end: z
    .strictObject({
      because: z.enum(['all-decided', 'maximum']),
      afterRounds: z.int().min(1),
      /** Recorded trials that it would have saved, and their hardware time. */
      trialsLess: count,
      hardwareNsLess: count,
    })
    .nullable(),
  /**
   * Where the rule could be followed no further, although rounds were recorded: the first round, from
   * 1, in which the recording left out items that this rule would have measured.
   */
  lacking: z.strictObject({ round: z.int().min(1), items: z.array(count).min(1) }).optional(),
});
export type Replay = z.infer<typeof replaySchema>;
