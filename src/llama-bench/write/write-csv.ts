import type { BenchRow } from './bench-row.ts';
import { llamaBenchColumns, ownTableColumns } from './table-cells.ts';

const columns = [...llamaBenchColumns, ...ownTableColumns];

/**
 * A header and rows with every cell in quotes, as llama-bench writes them; an unknown value is empty.
 * Ours stand after all of llama-bench's columns: names, and places from the left, stay what they are.
 */
export function writeCsv(rows: readonly BenchRow[]): string {
  const header = columns.map(({ name }) => name).join(',');
  const lines = rows.map((row) => columns.map(({ textOf }) => quoteCell(textOf(row))).join(','));
  return `${[header, ...lines].join('\n')}\n`;
}

function quoteCell(text: string | null): string {
  return `"${(text ?? '').replaceAll('"', '""')}"`;
}
