import type { BenchRow } from './bench-row.ts';
import { type ColumnType, llamaBenchFields, sampleFields } from './fields.ts';
import { formatCell } from './format-value.ts';
import { ownColumns } from './own-columns.ts';

/** The columns of CSV and SQL: llama-bench's, the samples that its tables leave out, then ours. */
export const tableColumns: readonly (readonly [name: string, type: ColumnType])[] = [
  ...llamaBenchFields,
  ...sampleFields.map((name) => [name, 'TEXT'] as const),
  ...ownColumns.map(({ name, type }) => [name, type] as const),
];

/** The texts of a row's cells; null for what is unknown. */
export function listCells(row: BenchRow): (string | null)[] {
  const { llamaBench } = row;
  return [
    ...llamaBenchFields.map(([name, type]) => formatCell(llamaBench[name]!, type)),
    ...sampleFields.map((name) => formatCell(llamaBench[name]!, 'TEXT')),
    ...ownColumns.map(({ read }) => {
      const value = read(row);
      return value === null ? null : formatCell(value, 'TEXT');
    }),
  ];
}
