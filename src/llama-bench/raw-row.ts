import type { Fault } from '../errors.ts';
import type { SourceText } from './source-text.ts';

/**
 * A value as it stands in the file. CSV, SQL and Markdown have only `text`. `text` is what the
 * condition key holds: a number as it is written, 1 and 0 for true and false as in CSV.
 */
export type RawValue =
  | { kind: 'text' | 'string' | 'number' | 'boolean' | 'null' | 'object'; text: string }
  | { kind: 'array'; text: string; items: RawValue[] };

/** One test of llama-bench, not yet checked. */
export interface RawRow {
  /** Its place among the file's rows, those that are lost included, from 1. */
  row: number;
  line: number;
  fields: Map<string, RawValue>;
}

/** A piece of the file that holds, or held, results and cannot be read. */
export interface Loss {
  line: number;
  bytes: number;
  what: string;
}

/** Text that is no result, such as lines of a log that was written into the same file. */
export interface IgnoredText {
  line: number;
  bytes: number;
  /** Its beginning. */
  text: string;
}

export interface RowsRead {
  rows: RawRow[];
  losses: Loss[];
  ignored: IgnoredText[];
  /** Offset of the end of the last of them. */
  ignoredEnd: number;
  /** What makes the file unusable, such as a table's header. */
  faults: Fault[];
}

export function nothingRead(): RowsRead {
  return { rows: [], losses: [], ignored: [], ignoredEnd: 0, faults: [] };
}

const quotedCharacters = 80;

/** Notes what stands between results, what adjoins as one piece; space alone is not worth it. */
export function noteIgnored(into: RowsRead, source: SourceText, from: number, to: number): void {
  const piece = source.text.slice(from, to);
  const trimmed = piece.trim();
  if (trimmed === '') return;
  const start = from + piece.length - piece.trimStart().length;
  const end = start + trimmed.length;
  const last = into.ignored.at(-1);
  if (last !== undefined && source.text.slice(into.ignoredEnd, start).trim() === '') {
    last.bytes += source.byteLength(into.ignoredEnd, end);
  } else {
    into.ignored.push({
      line: source.lineAt(start),
      bytes: source.byteLength(start, end),
      text: trimmed.slice(0, quotedCharacters).toWellFormed(),
    });
  }
  into.ignoredEnd = end;
}

/** With so many pieces that cannot be read a file is not what llama-bench wrote. */
const tooManyBroken = 1000;

/** Whether reading should stop at this line; the fault says so. */
export function givesUp(read: RowsRead, line: number): boolean {
  if (read.losses.length + read.faults.length < tooManyBroken) return false;
  const what = `${tooManyBroken} rows before it cannot be read; this is not what llama-bench wrote`;
  read.faults.unshift({ where: `line ${line}`, what });
  return true;
}
