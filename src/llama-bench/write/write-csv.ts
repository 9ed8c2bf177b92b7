import type { BenchRow } from './bench-row.ts';
import { llamaBenchColumns, ownTableColumns, type TableColumn } from './table-cells.ts';

const columns = [...llamaBenchColumns, ...ownTableColumns];

/**
 * A header and rows with every cell in quotes, as llama-bench writes them; an unknown value is empty.
 * A text that a spreadsheet would take for a formula has an apostrophe before it.
 * Ours stand after all of llama-bench's columns: names, and places from the left, stay what they are.
 */
export function writeCsv(rows: readonly BenchRow[]): string {
  const header = columns.map(({ name }) => name).join(',');
  const lines = rows.map((row) => columns.map(writeCell(row)).join(','));
  return `${[header, ...lines].join('\n')}\n`;
}

const writeCell =
  (row: BenchRow) =>
  ({ type, textOf }: TableColumn): string => {
    const text = textOf(row) ?? '';
    // a spreadsheet works out whatever begins like this, in quotes too; numbers may be negative
    const plain = type === 'TEXT' && /^[=+\-@]/.test(text) ? `'${text}` : text;
    return `"${plain.replaceAll('"', '""')}"`;
  };
