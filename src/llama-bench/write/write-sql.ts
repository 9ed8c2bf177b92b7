import type { BenchRow } from './bench-row.ts';
import { listCells, tableColumns } from './table-cells.ts';

/**
 * The table `llama_bench` and its rows. In a new database what asks llama-bench's columns goes on
 * working. A database that llama-bench itself filled has a table without our columns, and SQLite
 * refuses the first row: its repetitions of one process and our processes are not the same kind of
 * sample.
 */
export function writeSql(rows: readonly BenchRow[]): string {
  const columns = tableColumns.map(([name, type]) => `  ${name} ${type}`).join(',\n');
  const names = tableColumns.map(([name]) => name).join(', ');
  const inserts = rows.map((row) => {
    const values = listCells(row).map(quoteValue).join(', ');
    return `INSERT INTO llama_bench (${names}) VALUES (${values});\n`;
  });
  return `CREATE TABLE IF NOT EXISTS llama_bench (\n${columns}\n);\n\n${inserts.join('')}`;
}

/** Numbers in quotes too, as llama-bench has them: the column's type makes a number of them. */
function quoteValue(text: string | null): string {
  return text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`;
}
