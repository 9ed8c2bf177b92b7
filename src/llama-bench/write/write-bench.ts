import type { BenchOutput } from '../options/request.ts';
import type { BenchRow } from './bench-row.ts';
import { writeCsv } from './write-csv.ts';
import { writeJson, writeJsonLines } from './write-json.ts';
import { writeMarkdown } from './write-markdown.ts';
import { writeSql } from './write-sql.ts';

const writers: Readonly<Record<BenchOutput, (rows: readonly BenchRow[]) => string>> = {
  md: writeMarkdown,
  csv: writeCsv,
  json: writeJson,
  jsonl: writeJsonLines,
  sql: writeSql,
};

/**
 * The rows in one of llama-bench's output formats, all at once: its fields in its order, then ours.
 * `rooflaw import llama-bench` reads each of them back.
 */
export function writeBench(rows: readonly BenchRow[], format: BenchOutput): string {
  return writers[format](rows);
}
