import type { BenchRow } from './bench-row.ts';
import { listCells, tableColumns } from './table-cells.ts';

/** A header and rows with every cell in quotes, as llama-bench writes them; an unknown value is empty. */
export function writeCsv(rows: readonly BenchRow[]): string {
  const header = tableColumns.map(([name]) => name).join(',');
  const lines = rows.map((row) => listCells(row).map(quoteCell).join(','));
  return `${[header, ...lines].join('\n')}\n`;
}

function quoteCell(text: string | null): string {
  return `"${(text ?? '').replaceAll('"', '""')}"`;
}
