import type { SampleAnalysis } from '../../formats/analysis.ts';
import type { Item } from '../../formats/architecture.ts';
import type { SequentialAnalysis } from '../../formats/sequential.ts';
import { absent } from '../item-row.ts';
import {
  describeComparison,
  describeCourse,
  describeRule,
  listMissingIntervals,
  listSequentialNotes,
  type SequentialRow,
  sequentialLegend,
} from '../sequential-words.ts';
import {
  formatBlock,
  formatColumns,
  formatLegend,
  formatPoint,
  formatSentence,
  type Terminal,
} from '../terminal.ts';
import type { Column } from '../text-layout.ts';

/** What the stopping rule decided; nothing where the rounds are fixed. */
export function formatSequential(analysis: SampleAnalysis, terminal: Terminal): string[] {
  if (analysis.sequential === null) return [];
  const { sequential, items } = analysis;
  return formatBlock(terminal, 'Decided on the way', [
    ...formatSentence(terminal, describeCourse(sequential)),
    ...formatSentence(terminal, describeRule(sequential)),
    ...formatComparisons(sequential, items, terminal),
    ...listSequentialNotes(sequential).flatMap((note) => formatPoint(terminal, note)),
  ]);
}

/** The comparisons as a table with its legend. */
export function formatComparisons(
  sequential: SequentialAnalysis,
  items: readonly Item[],
  terminal: Terminal,
): string[] {
  const rows = sequential.comparisons.map((comparison) => describeComparison(comparison, items));
  const column = (heading: string, field: keyof SequentialRow): Column => ({
    heading,
    align: 'right',
    cells: rows.map((row) => row[field]),
  });
  const missing = listMissingIntervals(sequential);
  return [
    ...formatColumns(terminal, { ...column('b / a', 'comparison'), align: 'left' }, [
      [column('state', 'state'), column('decided', 'decidedAfter')],
      [column('b', 'bTime'), column('a', 'aTime'), column('interval so far', 'running')],
      [
        column('after this round', 'current'),
        column('pairs', 'pairs'),
        ...(sequential.rule.method === 'S1' ? [column('e-value', 'eValue')] : []),
      ],
    ]),
    ...formatLegend(terminal, sequentialLegend),
    ...(missing.length > 0 ? formatLegend(terminal, `${absent}: ${missing.join('; ')}.`) : []),
  ];
}
