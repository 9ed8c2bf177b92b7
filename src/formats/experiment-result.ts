import { z } from 'zod';
import { itemSchema, nameSchema, sha256Schema } from './architecture.ts';
import { experimentSchema, metricSchema } from './experiment.ts';
import { versionOneSchema } from './version.ts';

const count = z.int().min(0);
const share = z.number().min(0).max(1);
const words = z.string().min(1);

/** The four things that may be said of a comparison; nothing else is. */
export const verdictSchema = z.enum([
  /** Arms that were assigned at random differ. */
  'caused by the intervention in this experiment',
  /** The same evidence where nothing was assigned: two numbers of one arm, or natural cases. */
  'associated',
  'not distinguishable here',
  'not measured',
]);
export type ExperimentVerdict = z.infer<typeof verdictSchema>;

/** Ends of an interval of the median, with its actual coverage. */
export const endsSchema = z.strictObject({ lower: z.number(), upper: z.number(), coverage: share });

const sideSchema = z.strictObject({
  arm: nameSchema,
  metric: metricSchema,
  /** Processes with this number. */
  processes: count,
  median: z.number().nullable(),
});

/** One declared comparison in one condition. */
export const findingSchema = z.strictObject({
  comparison: nameSchema,
  role: z.enum(['primary', 'secondary']),
  group: count,
  a: sideSchema,
  b: sideSchema,
  /** Blocks in which both sides have their number, and blocks in which one is missing. */
  pairs: count,
  lostPairs: count,
  /** Pairs in which b is larger, smaller, equal. */
  larger: count,
  smaller: count,
  equal: count,
  /** `ratio`: of b over a. `difference`: b less a, where a value of 0 has no ratio. */
  scale: z.enum(['ratio', 'difference']),
  /** Median over the pairs. */
  effect: z.number().nullable(),
  /** At 95 %; null: too few pairs. */
  interval: endsSchema.nullable(),
  /** So wide that those of the whole family hold at once at 95 %, where the experiment corrects; null: too few pairs. */
  familyInterval: endsSchema.nullable(),
  /** Exact sign test; adjusted by Holm over `family` where the experiment corrects. */
  pValue: share.nullable(),
  adjustedPValue: share.nullable(),
  family: z.int().min(1),
  verdict: verdictSchema,
  /** Whether the family's interval lies beyond the effect that matters, within it, or neither; null: no ratio. */
  matters: z.enum(['yes', 'no', 'undecided']).nullable(),
  /** Why it is not measured; null where it is. */
  missing: words.nullable(),
  sentences: z.array(words).min(1),
});
export type Finding = z.infer<typeof findingSchema>;

/** How much of what a decode brings back after a pause another activity brings back. */
export const recoverySchema = z.strictObject({
  group: count,
  /** Level of the other factors that the three arms share. */
  shared: z.string(),
  activity: z.string(),
  /** (sleep - activity) / (sleep - decode), of medians; null: withheld. */
  fraction: z.number().nullable(),
  /** Over the blocks; null where the denominator is not clear of 0 in them. */
  interval: endsSchema.nullable(),
  sentence: words,
});

export const slowKindSchema = z.enum([
  'cpu-time-grew',
  'time-off-cpu-grew',
  'mixed',
  'invalid',
  'not-measured',
]);
export type SlowCaseKind = z.infer<typeof slowKindSchema>;

/** One slow repetition of an arm in which nothing was forced. Times in ns. */
export const naturalCaseSchema = z.strictObject({
  block: count,
  repetition: count,
  kind: slowKindSchema,
  elapsedNs: count,
  mainCpuNs: count.nullable(),
  /** Of the time off the CPU, more than the baseline's: waiting for a CPU, and other waiting. */
  extraWaitingNs: z.number().nullable(),
  extraOtherNs: z.number().nullable(),
  startCpu: count.nullable(),
  endCpu: count.nullable(),
  migrations: count.nullable(),
  involuntarySwitches: count.nullable(),
  /** Over the median of the same arm and condition. */
  frequencyRatio: z.number().nullable(),
  observed: z.array(words),
  unknown: z.array(words),
});
export type NaturalCase = z.infer<typeof naturalCaseSchema>;

/** Whether slow repetitions have an event more often than the others of the same process. */
export const associationSchema = z.strictObject({
  event: words,
  /** Processes with both kinds of repetitions, and those in which slow ones had it more, less often. */
  processes: count,
  more: count,
  less: count,
  pValue: share.nullable(),
  verdict: verdictSchema,
  sentence: words,
});

export const naturalSchema = z.strictObject({
  arm: nameSchema,
  group: count,
  processes: count,
  repetitions: count,
  baselineNs: z.number().nullable(),
  baselineCpuNs: z.number().nullable(),
  slow: count,
  slowProcesses: count,
  kinds: z.record(slowKindSchema, count),
  /** All of them, in the order of measuring. */
  cases: z.array(naturalCaseSchema),
  associations: z.array(associationSchema),
  sentences: z.array(words),
});
export type Natural = z.infer<typeof naturalSchema>;

/** Who ran, from looks at /proc: how complete, at which cost. Times in ns over all processes of the arm. */
export const traceSchema = z.strictObject({
  arm: nameSchema,
  processes: count,
  samplesTaken: count,
  samplesExpected: count,
  waitNs: count,
  attributedNs: count,
  samplerCpuNs: count,
  /** The largest first. */
  others: z.array(z.strictObject({ name: words, ns: count })),
  sentences: z.array(words),
});

/** What `rooflaw diagnose --json` prints. */
export const experimentResultSchema = z.strictObject({
  format: z.literal('rooflaw-experiment-result'),
  formatVersion: versionOneSchema,
  name: nameSchema,
  /** As it was declared in the ledger's first line, before the first trial. */
  declared: experimentSchema,
  experimentSha256: sha256Schema,
  protocolSha256: sha256Schema,
  device: z.string(),
  deviceDescription: z.string(),
  complete: z.boolean(),
  observed: count,
  failed: count,
  /** Conditions, as the arms share them. */
  groups: z.array(itemSchema),
  /** Not offered by the machine, noted before the first trial. */
  withheld: z.array(words),
  /** Readings that arms asked for and that the machine lacks. */
  notMeasured: z.array(
    z.strictObject({ reading: words, arms: z.array(nameSchema), reason: words }),
  ),
  /** Intervals in which the frequency was read and is not valid, since the thread moved in them. */
  invalidIntervals: z.array(
    z.strictObject({ arm: nameSchema, group: count, invalid: z.int().min(1), intervals: count }),
  ),
  failures: z.array(
    z.strictObject({ arm: nameSchema, group: count, failed: count, message: words }),
  ),
  findings: z.array(findingSchema),
  recovery: z.array(recoverySchema),
  natural: z.array(naturalSchema),
  traces: z.array(traceSchema),
  /** Not declared: every number of every arm, looked at afterwards. */
  lookedAtAfterwards: z.array(
    z.strictObject({
      arm: nameSchema,
      group: count,
      processes: count,
      medians: z.array(z.strictObject({ metric: metricSchema, median: z.number() })),
    }),
  ),
  limits: z.array(words),
});
export type ExperimentResult = z.infer<typeof experimentResultSchema>;
