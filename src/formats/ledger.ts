import { z } from 'zod';
import { itemSchema, nameSchema, seedSchema, sha256Schema } from './architecture.ts';
import { plannedComparisonSchema, planSchema } from './plan.ts';
import { treatedRepetition } from './treatment.ts';
import { loadLineSchema, runnerDescriptionSchema } from './trial.ts';
import { versionOneSchema } from './version.ts';
import { whoRanSchema } from './who-ran.ts';

/**
 * The ledger, format 1: one canonical JSON object a line. `prev` is the SHA-256 of the bytes of the
 * line before (without its newline), or 64 zeros in the first. Times are ISO 8601 in UTC.
 */
const chained = { seq: z.int().min(0), prev: sha256Schema, time: z.iso.datetime() };
const nanoseconds = z.int().min(0);

/** What a machine is; nothing that tells one specimen from another. */
export const fingerprintSchema = z.strictObject({
  device: z.string(),
  deviceDescription: z.string(),
  deviceMemoryBytes: z.int().min(0).nullable(),
  driver: z.string().nullable(),
  cpuModel: z.string(),
  cpuCount: z.int().min(1),
  memoryBytes: z.int().min(0),
  operatingSystem: z.string(),
  kernel: z.string(),
});
export type Fingerprint = z.infer<typeof fingerprintSchema>;

/** State of the device at a trial's boundary. Every reading is text as its tool gave it. */
export const deviceStateSchema = z.strictObject({
  source: z.enum(['nvidia-smi', 'linux', 'none']),
  /** How long reading it took. */
  readNs: nanoseconds,
  readings: z.record(z.string(), z.string()),
  /** Work of others on the device: seen, not seen, or not visible (a container, say). */
  otherUse: z.enum(['seen', 'not-seen', 'not-visible']),
});
export type DeviceState = z.infer<typeof deviceStateSchema>;

const fileHashSchema = z.strictObject({
  name: z.string(),
  bytes: z.int().min(0),
  sha256: sha256Schema,
});

/** A llama.cpp build and the runner linked to it. Its identity is the hash of this object. */
export const backendSchema = z.strictObject({
  /** As the user names it: `embedded`, or the folder's base name. */
  name: z.string(),
  release: z.string().nullable(),
  commit: z.string().nullable(),
  sourceTreeHash: z.string().nullable(),
  patches: z.array(fileHashSchema),
  libraries: z.array(fileHashSchema).min(1),
  runner: fileHashSchema,
  runnerSourceSha256: sha256Schema,
  description: runnerDescriptionSchema.omit({ allowedCpus: true }),
});
export type Backend = z.infer<typeof backendSchema>;

/**
 * `specimenSha256`: tells one device from another of its kind without naming it, the SHA-256 of
 * "rooflaw-specimen/" and the identifier that the device or machine has. null: none could be read;
 * absent: written before it was recorded. It stays in the ledger.
 */
const specimen = { specimenSha256: sha256Schema.nullable().optional() };

export const campaignEntrySchema = z.strictObject({
  type: z.literal('campaign'),
  ...chained,
  format: z.literal('rooflaw-ledger'),
  formatVersion: versionOneSchema,
  name: nameSchema,
  plan: planSchema,
  planSha256: sha256Schema,
  protocolSha256: sha256Schema,
  scheduleSeed: seedSchema,
  device: z.string(),
  fingerprint: fingerprintSchema,
  ...specimen,
  backend: backendSchema,
  /** Those of the plan's variants that run on another one. */
  otherBackends: z.array(z.strictObject({ label: nameSchema, backend: backendSchema })).optional(),
  program: z.strictObject({
    version: z.string(),
    gitCommit: z.string().nullable(),
    gitDirty: z.boolean().nullable(),
  }),
});
export type CampaignEntry = z.infer<typeof campaignEntrySchema>;

/** Start of every run or resume. */
export const sessionEntrySchema = z.strictObject({
  type: z.literal('session'),
  ...chained,
  session: z.int().min(0),
  bootId: z.string().nullable(),
  ...specimen,
  /** What differs from the campaign entry, one sentence each; empty when nothing does. */
  differences: z.array(z.string()),
  /** A torn last line that a crash left behind was set aside here. */
  tornLine: z
    .strictObject({ file: z.string(), bytes: z.int().min(1), sha256: sha256Schema })
    .nullable(),
});

const trialPlace = {
  /** Place in the whole schedule, from 0. */
  trial: z.int().min(0),
  /** 0 the first time; counted up when an interrupted trial is measured again. */
  attempt: z.int().min(0),
};

export const intendedEntrySchema = z.strictObject({
  type: z.literal('intended'),
  ...chained,
  ...trialPlace,
  session: z.int().min(0),
  round: z.int().min(0),
  position: z.int().min(0),
  item: itemSchema,
  modelSha256: sha256Schema,
});

/** With `stepNs` and `prefillNs` where every decode step was timed (see `repetitionLineSchema`). */
export const repetitionSchema = z.strictObject({
  wallNs: nanoseconds,
  prepareNs: nanoseconds,
  /** Without a check of its length, which the ledger's fast reader would leave to a slower one. */
  stepNs: z.array(nanoseconds).optional(),
  prefillNs: nanoseconds.nullable().optional(),
  ...treatedRepetition,
});

const logSchema = z
  .strictObject({
    file: z.string().regex(/^\d{6,}-\d+\.log$/, 'must be the name of a trial’s log'),
    bytes: z.int().min(0),
    sha256: sha256Schema,
  })
  .nullable();

/** `clockNs` stands here only where every decode step was timed. */
const loadSchema = loadLineSchema
  .omit({ type: true, formatVersion: true, modelSha256: true })
  .extend({ clockNs: z.number().min(0).optional() });

const measured = {
  load: loadSchema.nullable(),
  repetitions: z.array(repetitionSchema),
  /** From starting the process to its end. */
  processNs: nanoseconds,
  /** What the harness itself took around it: everything but the process and the device reads. */
  harnessNs: nanoseconds,
  peakResidentBytes: z.int().min(0).nullable(),
  deviceBefore: deviceStateSchema,
  deviceAfter: deviceStateSchema,
  idleWaitNs: nanoseconds,
  log: logSchema,
  /** Where an experiment's arm asks who had the main thread's CPU, and only there. */
  whoRan: whoRanSchema.optional(),
};

export const observedEntrySchema = z.strictObject({
  type: z.literal('observed'),
  ...chained,
  ...trialPlace,
  ...measured,
});
export type ObservedEntry = z.infer<typeof observedEntrySchema>;

export const failureCodeSchema = z.enum([
  /** The runner itself said why. */
  'refused-by-runner',
  'exit-status',
  'signal',
  'time-limit',
  'out-of-memory',
  'bad-output',
  'wrong-repetition-count',
  'invalid-time',
  'not-started',
]);

export const failedEntrySchema = z.strictObject({
  type: z.literal('failed'),
  ...chained,
  ...trialPlace,
  ...measured,
  code: failureCodeSchema,
  message: z.string(),
  exitStatus: z.int().nullable(),
  signal: z.string().nullable(),
  stderrEnd: z.string(),
});
export type FailedEntry = z.infer<typeof failedEntrySchema>;

/**
 * The trial was intended, and the harness was stopped or a file was no longer the one that was
 * checked; it will be measured again.
 */
export const interruptedEntrySchema = z.strictObject({
  type: z.literal('interrupted'),
  ...chained,
  ...trialPlace,
  reason: z.enum(['harness-died', 'stopped-by-user', 'file-changed']),
  /** All it cost: process, device reads, waiting, harness; null when the harness died with it. */
  costNs: nanoseconds.nullable(),
});

const ratioIntervalSchema = z
  .strictObject({ lower: z.number().positive(), upper: z.number().positive() })
  .nullable();

/** What a sequential campaign knows about one comparison after a round. */
export const comparisonEvidenceSchema = plannedComparisonSchema.extend({
  /** Rounds so far in which both items have a valid trial. */
  pairs: z.int().min(0),
  /** Places of the interval's ends among the sorted ratios b / a, from 1; null: too few pairs. */
  ranks: z.tuple([z.int().min(1), z.int().min(1)]).nullable(),
  /** Interval of the median ratio from all pairs so far. */
  current: ratioIntervalSchema,
  /** What the intervals of all rounds so far have in common; null when that is nothing. */
  running: ratioIntervalSchema,
  /** S1: against the hypothesis that the ratio is within 1 -+ margin. S2: null. */
  eValue: z.number().positive().nullable(),
  /** Once decided, a comparison keeps its decision. */
  state: z.enum(['open', 'slower', 'faster', 'equivalent']),
});
export type ComparisonEvidence = z.infer<typeof comparisonEvidenceSchema>;

/** After the last trial of each round, where the protocol has a stopping rule. */
export const decisionEntrySchema = z.strictObject({
  type: z.literal('decision'),
  ...chained,
  round: z.int().min(0),
  /** In the order of the plan. */
  comparisons: z.array(comparisonEvidenceSchema).min(1),
  /** Every comparison is decided: no further round is measured. */
  stop: z.boolean(),
});
export type DecisionEntry = z.infer<typeof decisionEntrySchema>;

/** `rooflaw`: the program noted what happened; absent: a person's words, or written before this was recorded. */
export const noteAuthor = { author: z.literal('rooflaw').optional() };

export const noteEntrySchema = z.strictObject({
  type: z.literal('note'),
  ...chained,
  text: z.string().min(1),
  ...noteAuthor,
});

export const endEntrySchema = z.strictObject({
  type: z.literal('end'),
  ...chained,
  observed: z.int().min(0),
  failed: z.int().min(0),
});

export const ledgerEntrySchema = z.discriminatedUnion('type', [
  campaignEntrySchema,
  sessionEntrySchema,
  intendedEntrySchema,
  observedEntrySchema,
  failedEntrySchema,
  interruptedEntrySchema,
  decisionEntrySchema,
  noteEntrySchema,
  endEntrySchema,
]);
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** An entry before the ledger gives it its number, link and time. */
export type UnchainedEntry = LedgerEntry extends infer Entry
  ? Entry extends LedgerEntry
    ? Omit<Entry, 'seq' | 'prev' | 'time'>
    : never
  : never;
