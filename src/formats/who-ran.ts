import { z } from 'zod';

const count = z.int().min(0);

/**
 * Who had the CPU of a trial's main thread while it waited for it, as looks at /proc tell: an
 * attribution by looks, which misses what begins and ends between two of them. Times in ns.
 */
export const whoRanSchema = z.strictObject({
  intervalMs: z.int().min(1),
  samplesTaken: count,
  /** As many as there are intervals in the time that was watched. */
  samplesExpected: count,
  /** How long the main thread was runnable and not running, by the kernel's count. */
  waitNs: count,
  /** Intervals with a wait of at least 0.2 ms. */
  waitsSeen: count,
  /** What of the wait others' time on the same CPU can account for. */
  attributedNs: count,
  /** By name; of users' own programs only that they were there. */
  others: z.record(z.string(), count),
  otherThreadsOfTrialNs: count,
  /** What looking itself took. */
  samplerCpuNs: count,
});
export type WhoRan = z.infer<typeof whoRanSchema>;
