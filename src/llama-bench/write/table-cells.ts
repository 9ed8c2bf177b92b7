import { ownSamplesColumn } from '../join-own-rows.ts';
import type { BenchRow } from './bench-row.ts';
import { type ColumnType, llamaBenchFields } from './fields.ts';
import { formatCell } from './format-value.ts';
import { ownColumns } from './own-columns.ts';

/** A column of CSV or SQL. */
export interface TableColumn {
  name: string;
  type: ColumnType;
  /** The text of a row's cell; null for what is unknown. */
  textOf: (row: BenchRow) => string | null;
}

/** llama-bench's columns in its order; its tables have no samples. */
export const llamaBenchColumns: readonly TableColumn[] = llamaBenchFields.map(([name, type]) => ({
  name,
  type,
  textOf: ({ llamaBench }) => formatCell(llamaBench[name]!, type),
}));

/** Ours: the samples, which llama-bench has in JSON alone, and what it has nowhere. */
export const ownTableColumns: readonly TableColumn[] = [
  {
    name: ownSamplesColumn,
    type: 'TEXT',
    textOf: ({ llamaBench }) => formatCell(llamaBench.samples_ns!, 'TEXT'),
  },
  ...ownColumns.map(({ name, type, read }): TableColumn => {
    const textOf = (row: BenchRow) => {
      const value = read(row);
      // as they are: six decimals would be too few for a share
      return value === null ? null : formatCell(value, 'TEXT');
    };
    return { name, type, textOf };
  }),
];
