import { CsvError, parse } from 'csv-parse/sync';
import { type Fault, RooflawError } from '../errors.ts';
import { formatCount } from '../units.ts';

/** One column of a table: what it holds, for readers of the file and for its data description. */
export interface TableColumn<Name extends string = string> {
  name: Name;
  type: 'string' | 'integer' | 'number';
  /** As UCUM writes it; left out for counts and names. */
  unit?: string;
  description: string;
  /** All that it may hold, where that is a short list. */
  values?: readonly string[];
  /** Whether a cell may be empty. */
  optional?: true;
}

/** Columns that people write when they have other units, and what one of those is in ns. */
const otherUnits = [
  { ending: /(Ms|_ms|Millis(econds)?)$/, name: 'milliseconds', ns: '1,000,000' },
  { ending: /(Us|_us|Micros(econds)?)$/, name: 'microseconds', ns: '1,000' },
  { ending: /(Seconds|_s|Sec)$/, name: 'seconds', ns: '1,000,000,000' },
];

/** A header with more columns belongs to something else; its columns are not listed. */
const mostColumns = 64;
/** Whoever has made so many faults has made one mistake: reading stops there. */
const mostFaults = 1000;

/** Ends the parsing of a text, whatever is still to come of it. */
class Stop extends Error {}

/**
 * Reads a CSV file (RFC 4180; a byte order mark and CRLF are fine) whose columns are exactly the
 * given ones, in any order. A file that was cut may end inside a number, so the last line must end.
 * @param onRow the cells in the order of `columns`, the line that the row ends on, from 1, and where
 *   its faults go
 * @returns faults of the header, of rows with another number of cells, which are not passed on, and
 *   of `onRow`, at most about 1,000
 */
export function readStrictCsv(
  text: string,
  columns: readonly TableColumn[],
  onRow: (cells: readonly string[], line: number, faults: Fault[]) => void,
): Fault[] {
  const faults: Fault[] = [];
  let places: number[] | null = null;
  let width = 0;
  try {
    parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      on_record: (cells: string[], { lines }) => {
        if (places === null) {
          for (const fault of findHeaderFaults(cells, columns)) faults.push(fault);
          places = columns.map(({ name }) => cells.indexOf(name));
          width = cells.length;
          // without a column every row would be at fault
          if (width > mostColumns || places.includes(-1)) throw new Stop();
        } else if (cells.length === width) {
          onRow(
            places.map((place) => cells[place]!),
            lines,
            faults,
          );
        } else {
          const what = `has ${formatCount(cells.length, 'cell')} where the header has ${width}`;
          faults.push({ where: `line ${lines}`, what });
        }
        if (faults.length >= mostFaults) {
          const what = `reading stopped here, after ${formatCount(faults.length, 'fault')}: what follows is unread`;
          faults.unshift({ where: `line ${lines}`, what }); // of many faults only the first are printed
          throw new Stop();
        }
        return null; // nothing is collected: a table may have a million rows
      },
    });
  } catch (error) {
    if (error instanceof Stop) return faults;
    if (!(error instanceof CsvError)) throw error;
    faults.push({ where: `line ${String(error.lines ?? '?')}`, what: `no CSV: ${error.message}` });
  }
  if (places === null && faults.length === 0) {
    faults.push({ where: 'line 1', what: 'there is no header', hint: namesOf(columns) });
  } else if (!/[\r\n]$/.test(text)) {
    faults.push({
      where: 'the last line',
      what: 'has no end, so the file may have been cut inside its last cell',
      hint: 'add a line end if it is whole',
    });
  }
  return faults;
}

function namesOf(columns: readonly TableColumn[]): string {
  return `the columns are ${columns.map(({ name }) => name).join(',')}`;
}

function findHeaderFaults(header: readonly string[], columns: readonly TableColumn[]): Fault[] {
  const where = 'line 1';
  const known = new Set(columns.map(({ name }) => name));
  const faults: Fault[] = [];
  if (header.length === 1 && /[;\t]/.test(header[0]!)) {
    const what = 'its columns are not separated by commas';
    return [{ where, what, hint: namesOf(columns) }];
  }
  if (header.length > mostColumns) {
    const what = `has ${header.length} columns where ${columns.length} are known`;
    return [{ where, what, hint: namesOf(columns) }];
  }
  for (const { name } of columns) {
    if (!header.includes(name)) faults.push({ where, what: `the column ${name} is missing` });
  }
  header.forEach((name, index) => {
    if (header.indexOf(name) < index) {
      faults.push({ where, what: `the column ${quoteCell(name)} stands here twice` });
    } else if (!known.has(name)) {
      faults.push(describeUnknown(name, columns));
    }
  });
  return faults;
}

function describeUnknown(name: string, columns: readonly TableColumn[]): Fault {
  const where = 'line 1';
  const unit = otherUnits.find(({ ending }) => ending.test(name));
  if (unit === undefined) {
    return { where, what: `unknown column ${quoteCell(name)}`, hint: namesOf(columns) };
  }
  return {
    where,
    what: `the column ${quoteCell(name)} seems to be in ${unit.name}; every time is in nanoseconds`,
    hint: `multiply it by ${unit.ns} and name it so that it ends in Ns`,
  };
}

const longestQuote = 40;

/** Words of others as they are quoted: cut where they are long. */
export function cutText(text: string, longest = longestQuote): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** A cell's text in quotes, cut where it is long. */
export function quoteCell(text: string): string {
  return `"${cutText(text)}"`;
}

/** Faults that a person reads before fixing the first; the rest is counted. */
const printedFaults = 20;

/** Throws one error for all faults of a table, the first twenty in words. */
export function throwTableFaults(subject: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const rest = faults.length - printedFaults;
  const count = formatCount(faults.length, 'fault');
  throw new RooflawError(
    'invalid-input',
    `${subject}: ${rest > 0 ? `${count}, of which the first ${printedFaults} are` : count}`,
    { faults: faults.slice(0, printedFaults) },
  );
}

/** One row of CSV, quoted where it must be (RFC 4180). */
export function formatCsvRow(cells: readonly (string | number | null)[]): string {
  return cells
    .map((cell) => {
      const text = cell === null ? '' : String(cell);
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(',');
}
