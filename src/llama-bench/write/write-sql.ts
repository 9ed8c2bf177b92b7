import { ownTable } from '../join-own-rows.ts';
import type { BenchRow } from './bench-row.ts';
import { llamaBenchColumns, ownTableColumns, type TableColumn } from './table-cells.ts';

/**
 * What `llama_bench NATURAL JOIN rooflaw_bench` joins on: all of llama-bench's columns but the rates,
 * since two variants may differ in any of them.
 */
const keyColumns = llamaBenchColumns.filter(({ type }) => type !== 'REAL');

const ours = [...keyColumns, ...ownTableColumns];

/**
 * The table `llama_bench` with llama-bench's statements, so that its rows go into a database that
 * llama-bench has filled; ours in a table of their own, `rooflaw_bench`.
 */
export function writeSql(rows: readonly BenchRow[]): string {
  const tables = createTable('llama_bench', llamaBenchColumns) + createTable(ownTable, ours);
  const inserts = rows.map(
    (row) => insertRow('llama_bench', llamaBenchColumns, row) + insertRow(ownTable, ours, row),
  );
  return `${tables}${inserts.join('')}`;
}

function createTable(table: string, columns: readonly TableColumn[]): string {
  const lines = columns.map(({ name, type }) => `  ${name} ${type}`).join(',\n');
  return `CREATE TABLE IF NOT EXISTS ${table} (\n${lines}\n);\n\n`;
}

function insertRow(table: string, columns: readonly TableColumn[], row: BenchRow): string {
  const names = columns.map(({ name }) => name).join(', ');
  const values = columns.map(({ textOf }) => quoteValue(textOf(row))).join(', ');
  return `INSERT INTO ${table} (${names}) VALUES (${values});\n`;
}

/** Numbers in quotes too, as llama-bench has them: the column's type makes a number of them. */
function quoteValue(text: string | null): string {
  return text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`;
}
