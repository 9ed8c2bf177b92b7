import { formatCount } from '../units.ts';
import { looksLikeColumns } from './columns.ts';
import { joinOwnRows, type OwnRow, ownTable } from './join-own-rows.ts';
import { givesUp, noteIgnored, nothingRead, type RawValue, type RowsRead } from './raw-row.ts';
import type { SourceText } from './source-text.ts';
import { SqlCursor, SyntaxFault } from './sql-cursor.ts';

const statement = /\b(?:CREATE\s+TABLE|INSERT\s+INTO)\b/gi;
const ownInsert = new RegExp(`^INSERT\\s+INTO\\s+["\`]?${ownTable}\\b`, 'i');
/** Longer than that beginning, but for odd spaces. */
const ownInsertCharacters = 80;

/**
 * The rows of `INSERT INTO … VALUES` statements, as llama-bench or a dump of SQLite writes them;
 * nothing is executed. Where a statement names no columns, those of its `CREATE TABLE` hold. Rows of
 * `rooflaw_bench` are joined to those of llama-bench's table.
 */
export function readSqlRows(source: SourceText): RowsRead {
  const read = nothingRead();
  const { text } = source;
  const tables = new Map<string, string[]>();
  const own: OwnRow[] = [];
  let rowCount = 0;
  let at = 0;
  for (;;) {
    statement.lastIndex = at;
    const match = statement.exec(text);
    const start = match?.index ?? text.length;
    noteBetween(read, source, at, start);
    if (match === null || givesUp(read, source.lineAt(start))) break;
    const cursor = new SqlCursor(text, start + match[0].length, { takesLineBreaks: false });
    const isOwn = ownInsert.test(text.slice(start, start + ownInsertCharacters));
    const nameRow = () => (isOwn ? `a row of ${ownTable}` : `row ${rowCount}`);
    try {
      if (/^create/i.test(match[0])) {
        const { name, columns } = readCreateTable(cursor);
        tables.set(name, columns);
      } else {
        const { columns, rows } = readInsertOfLines(cursor, tables);
        for (const values of rows) {
          if (!isOwn) rowCount += 1;
          const where = `${nameRow()} (line ${source.lineAt(start)})`;
          if (columns === undefined || columns.length !== values.length) {
            const expected =
              columns === undefined
                ? 'no columns are named for them'
                : `there are ${formatCount(columns.length, 'column')}`;
            read.faults.push({
              where,
              what: `has ${formatCount(values.length, 'value')}, but ${expected}`,
            });
            continue;
          }
          const fields = new Map(columns.map((column, index) => [column, values[index]!]));
          if (fields.size < columns.length) {
            read.faults.push({ where, what: 'names a column twice' });
          }
          if (isOwn) own.push({ from: start, to: cursor.at, fields });
          else read.rows.push({ row: rowCount, line: source.lineAt(start), fields });
        }
      }
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      if (!isOwn) rowCount += 1;
      const upTo = start + text.slice(start, cursor.at).trimEnd().length;
      const isCut = text.slice(cursor.at).trim() === '';
      read.losses.push({
        line: source.lineAt(start),
        bytes: source.byteLength(start, upTo),
        what: isCut
          ? `${nameRow()} has no end: the file stops inside its statement`
          : `${nameRow()} is broken: ${error.message} in line ${source.lineAt(cursor.at)}`,
      });
    }
    at = Math.max(cursor.at, start + match[0].length);
  }
  for (const { from, to } of joinOwnRows(read.rows, own)) noteIgnored(read, source, from, to);
  return read;
}

/** `[IF NOT EXISTS] name (column TYPE, …)` */
function readCreateTable(cursor: SqlCursor): { name: string; columns: string[] } {
  if (cursor.takeWord('IF')) {
    cursor.expectWord('NOT');
    cursor.expectWord('EXISTS');
  }
  const name = cursor.readName();
  cursor.expect('(');
  const columns: string[] = [];
  do {
    columns.push(cursor.readName());
    while (cursor.takeAnyWord()); // its type
  } while (cursor.take(','));
  cursor.expect(')');
  cursor.take(';');
  return { name, columns };
}

interface Insert {
  /** Undefined: no names are known for the values. */
  columns: string[] | undefined;
  rows: RawValue[][];
}

/**
 * Strings are read to the end of their line at most. Only where that fails they may hold line breaks,
 * and only if each row then has its values: a string that was cut does not swallow what follows it.
 */
function readInsertOfLines(cursor: SqlCursor, tables: ReadonlyMap<string, string[]>): Insert {
  const start = cursor.at;
  try {
    return readInsert(cursor, tables);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    const wider = new SqlCursor(cursor.text, start, { takesLineBreaks: true });
    const insert = readWhole(wider, tables);
    if (insert === null) throw error;
    cursor.at = wider.at;
    return insert;
  }
}

/** A statement in which each row has a value for each column, else null. */
function readWhole(cursor: SqlCursor, tables: ReadonlyMap<string, string[]>): Insert | null {
  try {
    const insert = readInsert(cursor, tables);
    return insert.rows.every(({ length }) => length === insert.columns?.length) ? insert : null;
  } catch (error) {
    if (error instanceof SyntaxFault) return null;
    throw error;
  }
}

/** `name [(column, …)] VALUES (value, …)[, (value, …)]` */
function readInsert(cursor: SqlCursor, tables: ReadonlyMap<string, string[]>): Insert {
  const name = cursor.readName();
  const columns = cursor.take('(') ? readList(cursor, () => cursor.readName()) : tables.get(name);
  cursor.expectWord('VALUES');
  const rows: RawValue[][] = [];
  do {
    cursor.expect('(');
    rows.push(readList(cursor, () => cursor.readValue()));
  } while (cursor.take(','));
  cursor.take(';');
  return { columns, rows };
}

function readList<Item>(cursor: SqlCursor, readItem: () => Item): Item[] {
  const items: Item[] = [];
  do items.push(readItem());
  while (cursor.take(','));
  cursor.expect(')');
  return items;
}

function noteBetween(read: RowsRead, source: SourceText, from: number, to: number): void {
  const piece = source.text.slice(from, to);
  if (/^[\s;]*$/.test(piece)) return;
  noteIgnored(read, source, from, to);
}

/** Whether a text has a statement of llama-bench's table in it. */
export function hasBenchStatement(text: string): boolean {
  statement.lastIndex = 0;
  const match = statement.exec(text);
  if (match === null) return false;
  const names = text.slice(match.index, match.index + headCharacters).match(/\w+/g) ?? [];
  return looksLikeColumns(names);
}

/** The column names of llama-bench's longest statement take about half of this. */
const headCharacters = 4000;
