import type { LlamaBenchLayout } from '../formats/llama-bench-import.ts';
import { listRows } from './conditions.ts';
import type { Measurement } from './measurement.ts';
import { type SampleKind, sampleLimits } from './sample-kind.ts';

/** What the numbers of a file cannot say, whatever they are. */
export function describeLimits(
  measurements: readonly Measurement[],
  layout: LlamaBenchLayout,
): string[] {
  const kinds: readonly SampleKind[] = ['repetition', 'process'];
  const found = kinds
    .map((kind) => ({ kind, rows: measurements.filter(({ sampleKind }) => sampleKind === kind) }))
    .filter(({ rows }) => rows.length > 0);
  return found.flatMap(({ kind, rows }) => {
    const where = found.length > 1 ? `rows ${listRows(rows)}: ` : '';
    return limitsOf(kind, layout).map((limit) => where + limit);
  });
}

function limitsOf(kind: SampleKind, layout: LlamaBenchLayout): string[] {
  if (kind === 'repetition') {
    return [
      sampleLimits.repetition,
      'whether llama-bench warmed up before the samples (--no-warmup) and in which order the tests ran in its process is not in its output',
    ];
  }
  return [
    sampleLimits.process,
    ...(layout === 'md'
      ? ['t/s is the tokens over the median of the processes’ times, no mean as llama-bench has it']
      : []),
    'the repetitions of each process, and in which order the processes ran, are in the campaign’s ledger and not in this file (rooflaw analyze CAMPAIGN)',
  ];
}
