import { parseJsonObject } from './json-object.ts';
import { givesUp, noteIgnored, nothingRead, type RowsRead } from './raw-row.ts';
import type { SourceText } from './source-text.ts';

/** What may stand between the rows of an array, or of several arrays in one file. */
const structure = /^[\s,[\]]*$/;

interface BrokenRow {
  row: number;
  start: number;
  /** Where reading it failed. */
  at: number;
  lastField: string | null;
}

/**
 * The objects of a JSON array or of JSON lines. What a crash or a full disk cut off is a loss, and
 * every complete object is read; so is what comes after, when a later run was appended.
 */
export function readJsonRows(source: SourceText): RowsRead {
  const read = nothingRead();
  const { text } = source;
  let openArrays = 0;
  let row = 0;
  /** Begins after the last row; with a broken row it is part of that. */
  let gap = { start: 0, lineStart: 0 };
  let broken: BrokenRow | null = null;

  const endGap = (end: number) => {
    if (broken === null) openArrays += readGap(read, source, gap.start, end);
    else noteLoss(read, source, broken, end);
    broken = null;
  };

  let at = 0;
  for (;;) {
    const brace = text.indexOf('{', at);
    if (brace === -1 || givesUp(read, source.lineAt(brace))) break;
    const newline = text.slice(at, brace).lastIndexOf('\n');
    if (newline !== -1) gap.lineStart = at + newline + 1;
    const object = parseJsonObject(text, brace);
    at = object.state === 'complete' ? object.end : Math.max(object.at, brace + 1);
    if (object.state === 'complete') {
      endGap(brace);
      gap = { start: at, lineStart: at };
      row += 1;
      const line = source.lineAt(brace);
      read.rows.push({ row, line, fields: object.fields });
      for (const name of object.repeated) {
        const where = `row ${row} (line ${line})`;
        read.faults.push({ where, what: `the member ${JSON.stringify(name)} stands there twice` });
      }
    } else if (structure.test(text.slice(gap.lineStart, brace))) {
      endGap(brace);
      gap = { start: brace, lineStart: at };
      row += 1;
      broken = { row, start: brace, at: object.at, lastField: object.lastField };
    }
    // else it is a brace inside other text, as in a log
  }
  endGap(text.length);
  noteOpenArray(read, source, openArrays, row);
  return read;
}

function noteLoss(read: RowsRead, source: SourceText, broken: BrokenRow, end: number): void {
  const { row, start, at, lastField } = broken;
  const { text } = source;
  const lost = text.slice(start, end).trimEnd();
  const isCut = start + lost.length <= at && end === text.length;
  const place = lastField === null ? 'before its first value' : `after "${lastField}"`;
  read.losses.push({
    line: source.lineAt(start),
    bytes: source.byteLength(start, start + lost.length),
    what: isCut
      ? `row ${row} has no end: the file stops ${place}`
      : `row ${row} is broken at line ${source.lineAt(at)}, ${place}`,
  });
}

/** A crash between two tests leaves whole rows and an array without its end. */
function noteOpenArray(read: RowsRead, source: SourceText, openArrays: number, row: number): void {
  if (openArrays <= 0 || read.rows.length === 0 || read.losses.length > 0) return;
  read.losses.push({
    line: source.lineAt(source.text.length),
    bytes: 0,
    what: `the array has no end: the run stopped after row ${row}, and how many tests were to follow is unknown`,
  });
}

/** Notes what is no structure. @returns how many arrays more are open after it */
function readGap(read: RowsRead, source: SourceText, from: number, to: number): number {
  let opened = 0;
  let start = from;
  let ignoredFrom = from;
  for (const line of source.text.slice(from, to).split('\n')) {
    const end = start + line.length;
    if (structure.test(line) && line.trim() !== '') {
      opened += line.split('[').length - line.split(']').length;
      noteIgnored(read, source, ignoredFrom, start);
      ignoredFrom = end;
    }
    start = end + 1;
  }
  noteIgnored(read, source, ignoredFrom, to);
  return opened;
}
