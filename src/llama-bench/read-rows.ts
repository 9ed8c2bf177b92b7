import type { LlamaBenchLayout } from '../formats/llama-bench-import.ts';
import { nameSamples } from './join-own-rows.ts';
import type { RowsRead } from './raw-row.ts';
import { readCsvHeader, readCsvRows } from './read-csv.ts';
import { readJsonRows } from './read-json.ts';
import { isMarkdownHeading, readMarkdownRows } from './read-markdown.ts';
import { hasBenchStatement, readSqlRows } from './read-sql.ts';
import { type SourceText, splitSourceLines } from './source-text.ts';

const readers: Readonly<Record<LlamaBenchLayout, (source: SourceText) => RowsRead>> = {
  json: readJsonRows,
  jsonl: readJsonRows,
  csv: readCsvRows,
  sql: readSqlRows,
  md: readMarkdownRows,
};

export function readRows(source: SourceText, layout: LlamaBenchLayout): RowsRead {
  const read = readers[layout](source);
  for (const row of read.rows) nameSamples(row);
  return read;
}

/**
 * Which of llama-bench's output formats a text has, by the first line that only one of them has: a
 * log may stand before it. null for a text that has none of them.
 */
export function detectLayout({ text }: SourceText): LlamaBenchLayout | null {
  if (hasBenchStatement(text)) return 'sql';
  for (const { text: line } of splitSourceLines(text)) {
    if (!mayBeFirst.test(line)) continue; // of a long log most lines are told apart by this
    if (/^\s*\[\s*(\{.*)?$/.test(line)) return 'json';
    if (/^\s*\{/.test(line)) return 'jsonl';
    if (isMarkdownHeading(line)) return 'md';
    if (readCsvHeader(line) !== null) return 'csv';
  }
  return null;
}

const mayBeFirst = /^\s*[[{|]|n_prompt|n_gen/;
