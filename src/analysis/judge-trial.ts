import type { FailedEntry } from '../formats/ledger.ts';
import type { RepetitionCounts } from '../stats/trial-sample.ts';
import { takeTrialSample } from '../stats/trial-sample.ts';
import type { Measured, TrialRecord } from './campaign-record.ts';

/** A trial after the protocol's rules for validity. */
export type JudgedTrial = { record: TrialRecord } & (
  | { state: 'observed'; measured: Measured; kept: bigint[]; keptSum: bigint }
  | { state: 'failed'; measured: Measured; code: FailedEntry['code']; message: string }
  | { state: 'interrupted' | 'pending' }
);

/** Turns an observed trial with a wrong count or an impossible time into a failed one. */
export function judgeTrial(record: TrialRecord, counts: RepetitionCounts): JudgedTrial {
  const { outcome } = record;
  if (outcome.state !== 'observed') return { record, ...outcome };
  const { measured } = outcome;
  const sample = takeTrialSample(measured.wallNs, counts);
  if (sample.state === 'valid') {
    return { record, state: 'observed', measured, kept: sample.kept, keptSum: sample.keptSum };
  }
  const message =
    sample.code === 'invalid-time'
      ? 'a repetition took no positive whole number of nanoseconds'
      : `${measured.wallNs.length} of ${counts.warmup + counts.kept} repetitions`;
  return { record, state: 'failed', measured, code: sample.code, message };
}
