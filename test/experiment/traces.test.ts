import { describe, expect, test } from 'vitest';
import type { WhoRan } from '../../src/formats/who-ran.ts';
import { resultOf } from './build-result.ts';
import { slow, us, usual, watched, whole } from './watched-repetitions.ts';

describe('a trace of who ran', () => {
  const traced = { ...watched, arms: [{ ...watched.arms[0]!, launch: { whoRuns: true } }] };
  const whoRan = {
    intervalMs: 20,
    samplesTaken: 40,
    samplesExpected: 50,
    waitNs: 5_000_000,
    waitsSeen: 2,
    attributedNs: 2_000_000,
    others: { kworker: 2_000_000 },
    otherThreadsOfTrialNs: 0,
    samplerCpuNs: 1_000_000,
  };
  const pause = slow(21_640.5, 19_039.9, { schedulerWaitNs: 2_500 * us });
  const measure = (changes: Partial<WhoRan> = {}) =>
    resultOf(traced, (_, block) => [usual(), block === 3 ? pause : usual()], {
      report: whole,
      whoRan: { ...whoRan, ...changes },
    });

  test('is of a whole process: who ran in one slow repetition of it stays unknown', () => {
    expect(measure().natural[0]!.cases[0]!.unknown).toEqual([
      'who had the CPU in this repetition (the trace is of its whole process and accounts for 40.0 % of its waiting)',
    ]);
    expect(measure({ attributedNs: 0, others: {} }).natural[0]!.cases[0]!.unknown).toEqual([
      'who had the CPU in this repetition (the trace is of its whole process and accounts for 0 % of its waiting)',
    ]);
  });

  test('tells how complete it is beside what it cost', () => {
    // 8 processes: 320 of 400 looks, 16 of 40 ms
    expect(measure().traces[0]!.sentences).toEqual([
      'Trace of watched: 320 of 400 expected looks were taken (80.0 %); they used 8.000 ms of CPU time.',
      'The main threads waited 40.00 ms for a CPU, by the kernel’s count from process start to end; of that others on the same CPU account for 16.00 ms (40.0 %): kworker 16.00 ms ran there in those intervals. Whoever ran only between two looks is missed, and who ran in an interval need not be who was waited for.',
    ]);
  });
});
