import { z } from 'zod';
import { subsetCountsShape } from './analysis.ts';
import { itemSchema, nameSchema, phaseSchema } from './architecture.ts';
import { intervalSchema } from './item-analysis.ts';

/**
 * What `rooflaw compare --json` prints, format 1. Every ratio is time of B over time of A; changes
 * are fractions of 1. What cannot be said is null, with its reason under `missing`.
 */
const count = z.int().min(0);
const ratio = z.number().positive();
const share = z.number().min(0).max(1);
const missing = z.array(z.strictObject({ field: z.string(), reason: z.string() }));

/** What one campaign saw while it measured; it belongs to every number taken from it. */
export const disturbanceSchema = z.strictObject({
  campaign: z.string(),
  /** Trials at whose boundaries others were seen at work; null: a public table does not say it. */
  otherUse: z.strictObject({ seen: count, notSeen: count, notVisible: count }).nullable(),
  /** Of the reference, one entry a phase. `marked`: beyond the protocol's threshold. */
  drift: z.array(
    z.strictObject({
      phase: phaseSchema,
      state: z.enum(['marked', 'not-marked', 'not-evaluable']),
      /** Last rounds over first rounds, less 1. */
      change: z.number().nullable(),
      threshold: share.nullable(),
      /** What is looked at where the protocol has no reference of its own: the first item of the phase. */
      firstItem: itemSchema.optional(),
      /** Rounds after which the campaign's rule left out what is looked at; absent: it did not. */
      leftOutAfter: z.int().min(1).optional(),
    }),
  ),
  /** Compared items whose trials fall into a fast and a slow group. */
  twoSpeed: z.array(itemSchema),
  /** How later sessions differed from the campaign's start; null: a public table does not say it. */
  environment: z
    .array(z.strictObject({ session: count, differences: z.array(z.string()).min(1) }))
    .nullable(),
});
export type Disturbance = z.infer<typeof disturbanceSchema>;

const base = {
  format: z.literal('rooflaw-comparison'),
  formatVersion: z.literal(1),
  /** One entry a campaign, in the order of their being named. */
  disturbances: z.array(disturbanceSchema).min(1),
  /** What the numbers do not say, in sentences. */
  doesNotShow: z.array(z.string()),
};

export const evidenceSchema = z.enum(['ledger', 'trial-table']);

/** One side of a pair, by all its valid trials. */
export const comparedArmSchema = itemSchema.extend({
  n: count,
  failed: count,
  representativeNs: z.number().positive().nullable(),
  interval: intervalSchema.nullable(),
});
export type ComparedArm = z.infer<typeof comparedArmSchema>;

export const verdictSchema = z.enum(['slower', 'faster', 'equivalent', 'inconclusive']);

/** (g): the randomisation test of paired midranks, and the interval it gives. It decides. */
export const decisionSchema = z.strictObject({
  /** Sum of rank(B) - rank(A) over the pairs. */
  statistic: z.number(),
  pValue: share,
  /** Holm over the family; the same as `pValue` for one pair. */
  adjustedPValue: share,
  /** At most 1, else m x `pValue`: at most 0.05 where 1 lies outside the interval or on an open end. */
  bonferroniPValue: share,
  method: z.enum(['exact', 'normal']),
  /** At the family's `intervalLevel`; null when so few pairs cannot reach it. */
  interval: z
    .strictObject({
      lower: ratio,
      upper: ratio,
      /** Whether the test rejects the end itself, so that it is not part of the interval. */
      isLowerOpen: z.boolean(),
      isUpperOpen: z.boolean(),
    })
    .nullable(),
  /** Whether the medians of the other arms were taken from each round's log times before. */
  roundEffects: z.discriminatedUnion('state', [
    z.strictObject({ state: z.literal('removed'), otherArms: z.int().min(1) }),
    z.strictObject({ state: z.literal('raw'), reason: z.string() }),
  ]),
});
export type Decision = z.infer<typeof decisionSchema>;

/** (f): order statistics of the paired log ratios. */
export const pairedRatioIntervalSchema = z.strictObject({
  lower: ratio,
  upper: ratio,
  coverage: share,
  coverageFraction: z.string(),
  ranks: z.tuple([z.int().min(1), z.int().min(1)]),
});

/** (c): as if the times were not paired; a check on the two others. */
export const unpairedSchema = z.strictObject({
  /** Mann-Whitney: pairs of trials in which B is larger, ties half. */
  u: z.number().min(0),
  pValue: share,
  method: z.enum(['exact', 'normal']),
  /** Hodges-Lehmann: median ratio over all pairs of trials. */
  hodgesLehmann: ratio,
  /** The k-th smallest and largest of `differences` ratios. */
  interval: z
    .strictObject({
      lower: ratio,
      upper: ratio,
      coverage: share,
      k: z.int().min(1),
      differences: z.int().min(1),
    })
    .nullable(),
});

/** Whether the arm that is measured later in a round is slower, whichever of the two it is. */
export const pairOrderEffectSchema = z.strictObject({
  rounds: count,
  laterSlower: count,
  laterFaster: count,
  ties: count,
  /** Sign test, two-sided, exact. */
  pValue: share,
  /** Median of later over earlier. */
  medianRatio: ratio,
});

export const comparedPairSchema = z.strictObject({
  a: comparedArmSchema,
  b: comparedArmSchema,
  /** Rounds in which both have a valid trial: the sample size. */
  pairs: count,
  /**
   * Rounds that were begun; how many of them lack a valid trial of A, of B; and how many did without
   * one of the two, since the campaign's own rule had decided (absent: none). These lack nothing.
   */
  rounds: count,
  lackingA: count,
  lackingB: count,
  leftOut: z.int().min(1).optional(),
  /** Median over the pairs of B / A. */
  medianPairedRatio: ratio.nullable(),
  /** Representative of B over representative of A. */
  ratioOfMedians: ratio.nullable(),
  verdict: verdictSchema,
  /** What the campaign's own stopping rule says of B / A; null: it does not compare the two, or see `missing`. */
  declared: z
    .strictObject({
      state: z.enum(['slower', 'faster', 'equivalent', 'open']),
      /** Rounds after which it was decided; null while it is open. */
      decidedAfter: z.int().min(1).nullable(),
    })
    .nullable(),
  decision: decisionSchema.nullable(),
  pairedInterval: pairedRatioIntervalSchema.nullable(),
  unpaired: unpairedSchema.nullable(),
  /** Pairs in which B is slower, against those in which A is. */
  signTest: z.strictObject({ slower: count, faster: count, ties: count, pValue: share }).nullable(),
  orderEffect: pairOrderEffectSchema.nullable(),
  /** Whether all three intervals are there and on the same side of 1, or all hold it. */
  methodsAgree: z.boolean().nullable(),
  missing,
});
export type ComparedPair = z.infer<typeof comparedPairSchema>;

/** Two sets of items of one campaign, measured in the same rounds. */
export const itemsComparisonSchema = z.strictObject({
  ...base,
  kind: z.literal('items'),
  campaign: z.string(),
  evidence: evidenceSchema,
  selectors: z.strictObject({ a: z.string(), b: z.string() }),
  /** Keys in which A and B differ by their selectors; in all others a pair agrees. */
  differIn: z.array(itemSchema.keyof()).min(1),
  /** The stopping rule that the plan declared, and how far it came; null: there is none, or see `missing`. */
  stopping: z
    .strictObject({
      method: z.string(),
      rounds: count,
      maximumRounds: z.int().min(1),
      stopped: z.boolean(),
    })
    .nullable(),
  margin: z.number().min(0).lt(1),
  /** null: nobody said what would be equivalent, so nothing is. */
  equivalence: z.number().gt(0).lt(1).nullable(),
  family: z.strictObject({
    size: z.int().min(1),
    /** The whole family holds at this level. */
    jointLevel: z.number().gt(0).lt(1),
    /** Each interval has at least this one. */
    intervalLevel: z.number().gt(0).lt(1),
    correction: z.enum(['none', 'bonferroni-intervals-and-holm-p']),
    /** Fewest pairs with which an interval at this level exists. */
    pairsNeeded: z.int().min(1),
  }),
  pairs: z.array(comparedPairSchema).min(1),
  /** Selected, but nothing on the other side agrees with them. */
  unmatched: z.strictObject({ a: z.array(itemSchema), b: z.array(itemSchema) }),
  missing,
});
export type ItemsComparison = z.infer<typeof itemsComparisonSchema>;

/** What two campaigns must share to be put beside one another, and what else is worth knowing. */
export const agreementSchema = z.strictObject({
  what: z.enum([
    'protocol',
    'runner',
    'libraries',
    'device',
    'specimen',
    'environment',
    'models',
    'schedule',
    'rooflaw',
  ]),
  state: z.enum(['same', 'different', 'not-known']),
  /** Which differences, or why it is not known. */
  details: z.array(z.string()),
});
export type Agreement = z.infer<typeof agreementSchema>;

export const acrossSchema = z.enum(['device', 'backend', 'protocol']);
/** A difference that is declared to be the question. */
export type Across = z.infer<typeof acrossSchema>;

export const comparedCampaignSchema = z.strictObject({
  name: nameSchema,
  evidence: evidenceSchema,
  protocol: z.string(),
  device: z.string(),
  startedAt: z.iso.datetime().nullable(),
  sessions: count.nullable(),
  /** Rounds in which every matched item has a valid trial. */
  completeRounds: count,
});

const comparedSideSchema = z.strictObject({
  n: count,
  representativeNs: z.number().positive().nullable(),
  interval: intervalSchema.nullable(),
  stable: z.boolean().nullable(),
});

/** The stable count of the longer campaign, had it had as few rounds as the shorter. */
export const stableSubsetsSchema = z.strictObject({
  of: z.enum(['a', 'b']),
  rounds: count,
  ...subsetCountsShape,
  /** Stable items of the shorter campaign, judged by its complete rounds alone. */
  other: count,
  /** Whether `other` lies between minimum and maximum. */
  holdsOther: z.boolean(),
});

/** The same items measured twice. The two were not interleaved, so there is no verdict. */
export const campaignsComparisonSchema = z.strictObject({
  ...base,
  kind: z.literal('campaigns'),
  label: z.literal('confounded with session: the two were not interleaved'),
  a: comparedCampaignSchema,
  b: comparedCampaignSchema,
  across: z.array(acrossSchema),
  agreement: z.array(agreementSchema),
  items: z.array(
    itemSchema.extend({
      a: comparedSideSchema,
      b: comparedSideSchema,
      /** representative of B / representative of A - 1. */
      change: z.number().nullable(),
    }),
  ),
  /** Items of one campaign only, or of another model in each. */
  unmatched: z.strictObject({ a: z.array(itemSchema), b: z.array(itemSchema) }),
  change: z
    .strictObject({
      items: z.int().min(1),
      medianAbsolute: z.number().min(0),
      maximumAbsolute: z.number().min(0),
      /** Index into `items` of the largest. */
      largest: count,
      median: z.number(),
      slower: count,
      faster: count,
    })
    .nullable(),
  stable: z.strictObject({
    items: count,
    a: count,
    b: count,
    /** Items whose flag cannot be given; they do not count as stable. */
    unknownA: count,
    unknownB: count,
    subsets: stableSubsetsSchema.nullable(),
  }),
  missing,
});
export type CampaignsComparison = z.infer<typeof campaignsComparisonSchema>;

/** Sessions as blocks: how much of the variance lies between them. */
export const sessionsComparisonSchema = z.strictObject({
  ...base,
  kind: z.literal('sessions'),
  campaigns: z.array(z.string()).min(1),
  across: z.array(acrossSchema),
  /** Of each further campaign with the first. */
  agreement: z.array(z.strictObject({ campaign: z.string(), rows: z.array(agreementSchema) })),
  sessions: z.array(
    z.strictObject({
      campaign: z.string(),
      session: count,
      time: z.iso.datetime().nullable(),
      trials: count,
      /** Devices in the order of their appearance, from 1; null: which one is not known. */
      device: z.int().min(1).nullable(),
    }),
  ),
  /** Whether one device or several of the same kind were measured. */
  specimens: z.enum(['same', 'other', 'not-known']),
  items: z.array(
    itemSchema.extend({
      /** Sessions with a valid trial of the item, and their trials. */
      sessions: count,
      trials: count,
      /** Fewest valid trials of the item in one of these sessions. */
      fewestTrials: count,
      /** Of the variance of log time, the part between sessions. */
      sessionShare: share.nullable(),
      /** Square roots of the two components: standard deviations of log time. */
      betweenSessions: z.number().min(0).nullable(),
      withinSessions: z.number().min(0).nullable(),
      /** The component came out negative and counts as 0. */
      isSessionNegative: z.boolean().nullable(),
    }),
  ),
  medianSessionShare: share.nullable(),
  /** The same within each known device that has several sessions. */
  devices: z.array(
    z.strictObject({
      device: z.int().min(1),
      sessions: z.array(count).min(2),
      items: count,
      medianSessionShare: share.nullable(),
    }),
  ),
  missing,
});
export type SessionsComparison = z.infer<typeof sessionsComparisonSchema>;

export const comparisonSchema = z.discriminatedUnion('kind', [
  itemsComparisonSchema,
  campaignsComparisonSchema,
  sessionsComparisonSchema,
]);
export type Comparison = z.infer<typeof comparisonSchema>;
