import type { ItemAllocation, SampleAnalysis } from '../../formats/analysis.ts';
import { formatItem } from '../../formats/architecture.ts';
import { formatCount } from '../../units.ts';
import {
  type AllocationRow,
  allocationLegend,
  describeAllocation,
  listUnadvised,
  summariseAllocation,
} from '../allocation-words.ts';
import {
  formatBlock,
  formatColumns,
  formatLegend,
  formatPoint,
  formatSentence,
  type Terminal,
} from '../terminal.ts';
import type { Column } from '../text-layout.ts';
import { adviseWarmup } from '../warmup-words.ts';

export function formatWarmup(analysis: SampleAnalysis, terminal: Terminal): string[] {
  const { summary, late } = adviseWarmup(analysis);
  return formatBlock(terminal, 'Warm-up: advice for a next protocol, changes nothing here', [
    ...formatSentence(terminal, summary),
    ...late.flatMap((item) => formatPoint(terminal, item)),
  ]);
}

/** How to spend hardware time next time: where another split would take less of it. */
export function formatAllocation(analysis: SampleAnalysis, terminal: Terminal): string[] {
  const { allocation } = analysis;
  const saving = allocation.filter(({ advice }) => advice !== null && advice.costShare < 1);
  const unadvised = allocation.filter(({ advice }) => advice === null);
  const reasons = listUnadvised(unadvised).join('; ');
  return formatBlock(
    terminal,
    'Repetitions and processes: advice for a next protocol, changes nothing here',
    [
      ...formatSentence(terminal, summariseAllocation(analysis)),
      ...(unadvised.length > 0
        ? formatSentence(
            terminal,
            `Without advice, ${formatCount(unadvised.length, 'item')}: ${reasons}.`,
          )
        : []),
      ...(saving.length > 0 ? formatSaving(saving, analysis, terminal) : []),
    ],
  );
}

function formatSaving(
  allocation: readonly ItemAllocation[],
  { items }: SampleAnalysis,
  terminal: Terminal,
): string[] {
  const rows = allocation.map(describeAllocation);
  const column = (heading: string, field: keyof AllocationRow): Column => ({
    heading,
    align: 'right',
    cells: rows.map((row) => row[field]),
  });
  const names = allocation.map(({ item }) => formatItem(items[item]!));
  return [
    ...formatColumns(terminal, { heading: 'item', align: 'left', cells: names }, [
      [
        column('kept repetitions', 'repetitions'),
        column('processes', 'processes'),
        column('of the time now', 'costShare'),
      ],
      [column('one repetition', 'repetitionCost'), column('one process', 'processCost')],
    ]),
    ...formatLegend(terminal, allocationLegend),
  ];
}
