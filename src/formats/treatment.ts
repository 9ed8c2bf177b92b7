import { z } from 'zod';

const count = z.int().min(0);
const cpuSchema = z.int().min(0).max(4095);
/** An hour; whoever waits longer means something else. */
const millisecondsSchema = z.int().min(1).max(3_600_000);

/** What may be read at both ends of the timed region, each with a cost of its own (docs/diagnosis.md). */
export const readingSchema = z.enum([
  /** CPU time of the main thread and of the whole process. */
  'cpu-time',
  /** CPU of the main thread at start and end; its migrations by the kernel's counter where there is one. */
  'placement',
  /** Voluntary and involuntary context switches of the main thread. */
  'context-switches',
  /** Page faults of the main thread. */
  'page-faults',
  /** How long the main thread was runnable and not running. */
  'scheduler-wait',
  /** APERF and MPERF of the main thread's CPU. */
  'frequency',
]);
export type Reading = z.infer<typeof readingSchema>;

/**
 * What the main thread does between preparing and the timer. `integer-work` touches neither the
 * model nor a GPU; `decode` runs the model's own steps and takes them back out of the cache.
 */
export const activitySchema = z.strictObject({
  kind: z.enum(['sleep', 'integer-work', 'decode']),
  milliseconds: millisecondsSchema,
});
export type Activity = z.infer<typeof activitySchema>;

/**
 * What is done to a trial beside measuring it, all of it outside the timer: the intervention and the
 * readings of an experiment. Nothing of it is in protocol v1.
 */
export const treatmentSchema = z.strictObject({
  readings: z
    .array(readingSchema)
    .refine((readings) => new Set(readings).size === readings.length, 'names a reading twice'),
  /**
   * CPUs on which the main thread alone must run, set anew in every repetition: while the cache is
   * prepared, and from just before the activity on. Two equal ones: it stays. null: it is not touched.
   */
  mainThread: z.strictObject({ prepareOn: cpuSchema, timeOn: cpuSchema }).nullable(),
  activity: activitySchema.nullable(),
  /** The model's file before it is loaded: as it is, dropped from the page cache, or read into it. */
  pageCache: z.enum(['as-is', 'dropped', 'warm']),
});
export type Treatment = z.infer<typeof treatmentSchema>;

/** Nothing is read and nothing is done. */
export const noTreatment: Treatment = {
  readings: [],
  mainThread: null,
  activity: null,
  pageCache: 'as-is',
};

/**
 * Differences over the timed region, as far as they were asked for and the machine has them. Times
 * in ns; of the main thread unless the name says otherwise.
 */
export const countersSchema = z.strictObject({
  mainCpuNs: count.optional(),
  processCpuNs: count.optional(),
  startCpu: count.optional(),
  endCpu: count.optional(),
  /** By the kernel's counter, which sees also a move there and back. */
  migrations: count.optional(),
  voluntarySwitches: count.optional(),
  involuntarySwitches: count.optional(),
  minorFaults: count.optional(),
  majorFaults: count.optional(),
  schedulerWaitNs: count.optional(),
  /** Cycles at the actual and at the base frequency; neither where the thread moved meanwhile. */
  aperf: count.optional(),
  mperf: count.optional(),
});
export type Counters = z.infer<typeof countersSchema>;

/** What the activity before a repetition did. */
export const activityRecordSchema = z.strictObject({
  elapsedNs: count,
  /** Steps of a decode. */
  steps: count.optional(),
  /** Of integer work, one place for each slice of about 1 ms. */
  sliceNs: z.array(count).optional(),
  sliceOperations: z.array(count).optional(),
  /** With the reading `frequency`; 0 for both where the thread moved in that slice. */
  sliceAperf: z.array(count).optional(),
  sliceMperf: z.array(count).optional(),
});
export type ActivityRecord = z.infer<typeof activityRecordSchema>;

/** What stands in a repetition of a treated trial, and in no other. */
export const treatedRepetition = {
  counters: countersSchema.optional(),
  activity: activityRecordSchema.optional(),
};

/** How one reading can be had on this machine: by which way, or why not. */
const availabilitySchema = z.union([
  z.strictObject({ source: z.string().min(1) }),
  z.strictObject({ notMeasured: z.string().min(1) }),
]);

/** What the runner says about its treatment when the model is loaded. */
export const treatmentReportSchema = z.strictObject({
  /** One entry for each reading that was asked for; `migrations` besides with `placement`. */
  readings: z.record(z.string(), availabilitySchema),
  /** Cycles of MPERF in a second, where `frequency` is measured and it is known. */
  mperfHertz: z.number().positive().nullable(),
  /** Share of the model's file that lay in the page cache just before it was loaded; null: not measured. */
  residentShare: z.number().min(0).max(1).nullable(),
});
export type TreatmentReport = z.infer<typeof treatmentReportSchema>;

/** What the harness does around a trial's process. */
export const launchSchema = z.strictObject({
  /** How long nothing is done before the process starts. */
  idleMilliseconds: z.int().min(0).max(3_600_000),
  /** `fixed`: started with address-space randomisation off. */
  addresses: z.enum(['randomised', 'fixed']),
  /** Words of a command that starts the runner given behind them, such as `perf stat --`; none: started directly. */
  wrapper: z.array(z.string().min(1)),
  /** Whether the harness looks, every 20 ms, who runs on the main thread's CPU. */
  whoRuns: z.boolean(),
  /** Written into every CPU's policy before the trial and restored after it; null: left alone. */
  cpuPolicy: z
    .strictObject({
      attribute: z.enum(['scaling_governor', 'energy_performance_preference']),
      value: z.string().regex(/^[a-z_]{1,32}$/),
    })
    .nullable(),
});
export type Launch = z.infer<typeof launchSchema>;

export const plainLaunch: Launch = {
  idleMilliseconds: 0,
  addresses: 'randomised',
  wrapper: [],
  whoRuns: false,
  cpuPolicy: null,
};
