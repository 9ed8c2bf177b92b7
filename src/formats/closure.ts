import { z } from 'zod';

const count = z.int().min(0);
const fraction = z.number().min(0);
const probability = z.number().min(0).max(1);

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
