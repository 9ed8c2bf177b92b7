import { describeSamples } from '../sample-statistics.ts';
import type { BenchRow } from './bench-row.ts';
import type { ColumnType } from './fields.ts';

export type OwnValue = string | number | boolean | null;

/** A column that llama-bench does not have. */
export interface OwnColumn {
  name: string;
  type: ColumnType;
  read: (row: BenchRow) => OwnValue;
}

/**
 * Ours, written after llama-bench's fields with `rooflaw_` before each name. null is unknown; that
 * is why `rooflaw_stddev_ns` stands beside llama-bench's stddev_ns, which is 0 for one sample.
 */
export const ownColumns: readonly OwnColumn[] = [
  own('representative_ns', 'REAL', ({ ours }) => ours.representativeNs),
  own('representative_ts', 'REAL', (row) => rateOf(row, row.ours.representativeNs)),
  own('stddev_ns', 'REAL', (row) => {
    const samples = samplesOf(row);
    return samples.length < 2 ? null : describeSamples(samples, tokensOf(row)).sdNs;
  }),
  own('interval_lower_ns', 'REAL', ({ ours }) => ours.interval?.lowerNs ?? null),
  own('interval_upper_ns', 'REAL', ({ ours }) => ours.interval?.upperNs ?? null),
  own('interval_lower_ts', 'REAL', (row) => rateOf(row, row.ours.interval?.upperNs ?? null)),
  own('interval_upper_ts', 'REAL', (row) => rateOf(row, row.ours.interval?.lowerNs ?? null)),
  own('interval_coverage', 'REAL', ({ ours }) => ours.interval?.coverage ?? null),
  own('processes', 'INTEGER', ({ ours }) => ours.processes),
  own('failed', 'INTEGER', ({ ours }) => ours.failed),
  own('disturbed', 'INTEGER', ({ ours }) => ours.disturbed),
  own('stable', 'INTEGER', ({ ours }) => ours.stable),
  own('in_trial_cv_max', 'REAL', ({ ours }) => ours.inTrialCvMax),
  own('warmup', 'INTEGER', ({ ours }) => ours.warmup),
  own('kept', 'INTEGER', ({ ours }) => ours.kept),
  own('model_sha256', 'TEXT', ({ ours }) => ours.modelSha256),
  own('variant', 'TEXT', ({ ours }) => ours.variant),
  own('campaign', 'TEXT', ({ ours }) => ours.campaign),
  own('protocol_sha256', 'TEXT', ({ ours }) => ours.protocolSha256),
];

function own(name: string, type: ColumnType, read: OwnColumn['read']): OwnColumn {
  return { name: `rooflaw_${name}`, type, read };
}

/** Tokens inside the timer. */
export function tokensOf({ llamaBench }: BenchRow): number {
  return Number(llamaBench.n_prompt) + Number(llamaBench.n_gen);
}

/** Tokens per second of a test that takes so long. */
export function rateOf(row: BenchRow, ns: number | null): number | null {
  return ns === null ? null : (1e9 * tokensOf(row)) / ns;
}

export function samplesOf({ llamaBench }: BenchRow): bigint[] {
  return (llamaBench.samples_ns as number[]).map(BigInt);
}
