import { CsvError, parse } from 'csv-parse/sync';
import { formatCount } from '../units.ts';
import { looksLikeColumns } from './columns.ts';
import { givesUp, noteIgnored, nothingRead, type RowsRead } from './raw-row.ts';
import { type SourceLine, type SourceText, splitSourceLines } from './source-text.ts';

/** llama-bench writes commas; spreadsheets write the others. */
const delimiters = [',', ';', '\t'];
/** A row takes one line, or a few where a name has a line break in it. */
const maxLinesOfRow = 4;

/** A header and the texts of the rows below it; several where runs were appended to one file. */
interface Table {
  header: string[];
  delimiter: string;
  rows: RowText[];
}

interface RowText {
  text: string;
  start: number;
  /** Offset after its last character. */
  end: number;
  line: number;
  row: number;
  /** Its quotes are closed. */
  isComplete: boolean;
  /** Nothing follows it in the file, not even a line end. */
  isAtEnd: boolean;
}

/** The columns of a CSV header line, or null. */
export function readCsvHeader(line: string): Pick<Table, 'header' | 'delimiter'> | null {
  if (!/n_prompt|n_gen/.test(line)) return null; // cheap, for logs of a million lines
  for (const delimiter of delimiters) {
    // names of columns hold neither quotes nor delimiters
    const header = line.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
    if (looksLikeColumns(header)) return { header, delimiter };
  }
  return null;
}

export function readCsvRows(source: SourceText): RowsRead {
  const read = nothingRead();
  for (const table of findTables(source, read)) {
    const { header, delimiter } = table;
    // most of what is no row has too few cells: it is not worth parsing
    const isWhole = ({ text, isComplete }: RowText) =>
      isComplete && text.split(delimiter).length >= header.length;
    const whole = table.rows.filter(isWhole);
    const cellsOf = new Map(
      splitRows(
        whole.map(({ text }) => text),
        delimiter,
      ).map((cells, index) => [whole[index]!, cells]),
    );
    for (const row of table.rows) {
      if (givesUp(read, row.line)) return read;
      const parsed = cellsOf.get(row);
      const isComplete = row.isComplete && parsed !== null;
      const cells = parsed ?? [];
      if (cells.length === header.length) {
        const fields = header.map((name, column) => {
          return [name, { kind: 'text', text: cells[column]! }] as const;
        });
        read.rows.push({ row: row.row, line: row.line, fields: new Map(fields) });
      } else {
        noteUnreadable(read, source, table, { ...row, isComplete }, cells.length);
      }
    }
  }
  return read;
}

function noteUnreadable(
  read: RowsRead,
  source: SourceText,
  { header, delimiter }: Table,
  { text, start, end, line, row, isComplete, isAtEnd }: RowText,
  cellCount: number,
): void {
  if (isAtEnd) {
    const bytes = source.byteLength(start, end);
    read.losses.push({ line, bytes, what: `row ${row} has no end: the file stops inside it` });
    return;
  }
  const cells = formatCount(cellCount || text.split(delimiter).length, 'cell');
  read.faults.push({
    where: `row ${row} (line ${line})`,
    what: isComplete
      ? `has ${cells} where the header has ${header.length}`
      : 'has a quote that is not closed',
  });
}

function findTables(source: SourceText, read: RowsRead): Table[] {
  const lines = [...splitSourceLines(source.text)];
  const tables: Table[] = [];
  let row = 0;
  for (let index = 0; index < lines.length; ) {
    const { count, text, isComplete } = takeRow(lines, index);
    const first = lines[index]!;
    const last = lines[index + count - 1]!;
    index += count;
    if (text.trim() === '') continue;
    const table = tables.at(-1);
    const header = isHeaderLike(text, table) ? readCsvHeader(text) : null;
    const end = last.start + last.text.length;
    if (header !== null) {
      tables.push({ ...header, rows: [] });
      noteRepeatedColumns(read, header.header, first.number);
    } else if (table === undefined || !text.includes(table.delimiter)) {
      noteIgnored(read, source, first.start, end);
    } else {
      row += 1;
      const isAtEnd = index === lines.length && !(last.isEnded && isComplete);
      table.rows.push({
        text,
        start: first.start,
        end,
        line: first.number,
        row,
        isComplete,
        isAtEnd,
      });
    }
  }
  return tables;
}

/** The lines of one row: one, or more while a quote is open. */
function takeRow(lines: readonly SourceLine[], index: number) {
  let text = lines[index]!.text;
  if (isBalanced(text)) return { count: 1, text, isComplete: true };
  for (let count = 2; count <= maxLinesOfRow && index + count <= lines.length; count++) {
    const line = lines[index + count - 1]!.text;
    text += `\n${line}`;
    if (!isBalanced(line)) return { count, text, isComplete: true };
  }
  return { count: 1, text: lines[index]!.text, isComplete: false };
}

function isBalanced(text: string): boolean {
  return text.split('"').length % 2 === 1;
}

/** Cheap: only a line that begins as the header does is worth reading as another one. */
function isHeaderLike(text: string, table: Table | undefined): boolean {
  return table === undefined || text.replace('"', '').startsWith(table.header[0]!);
}

/**
 * The cells of rows whose quotes are even in number; a row may hold line breaks. null for one in which
 * a cell's quote is not closed all the same: `""a"`.
 */
function splitRows(rows: readonly string[], delimiter: string): (string[] | null)[] {
  if (rows.length === 0) return [];
  const cells = parseRows(rows, delimiter);
  // A stray quote can make two rows of one or one of two; alone each row is only itself.
  if (cells !== null && (cells.length === rows.length || rows.length === 1)) return cells;
  if (rows.length === 1) return [null];
  return rows.map((row) => splitRows([row], delimiter)[0] ?? []);
}

function parseRows(rows: readonly string[], delimiter: string): string[][] | null {
  try {
    return parse(rows.join(rowEnd), {
      delimiter,
      relax_quotes: true,
      relax_column_count: true,
      record_delimiter: rowEnd,
    });
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}

const rowEnd = '\u0000';

function noteRepeatedColumns(read: RowsRead, header: readonly string[], line: number): void {
  const known = new Set<string>();
  const repeated = new Set<string>();
  for (const name of header) (known.has(name) ? repeated : known).add(name);
  for (const name of repeated) {
    const where = `line ${line}`;
    read.faults.push({ where, what: `the column ${JSON.stringify(name)} stands there twice` });
  }
}
