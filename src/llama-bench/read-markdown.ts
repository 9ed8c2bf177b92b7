import { unescapeCell } from '../markdown.ts';
import { formatCount } from '../units.ts';
import { columnOfHeading } from './columns.ts';
import {
  givesUp,
  noteIgnored,
  nothingRead,
  type RawRow,
  type RawValue,
  type RowsRead,
} from './raw-row.ts';
import { type SourceLine, type SourceText, splitSourceLines } from './source-text.ts';

/** `pp512`, `tg 128`, `pp512+tg128`, each perhaps with `@ d4096` */
const testName = /^(?:pp ?(\d+))?\+?(?:tg ?(\d+))?(?: @ d(\d+))?$/;
/** Whatever became of the sign between them on its way: `±`, `+-`, `Â±`, `┬▒`. */
const rate = /^(\S+)\s+(?:\+\/?-|[^\s\d.-]+)\s+(\S+)$/;
/** What `rooflaw bench` writes where no process gave a rate; 0 without samples means unknown. */
const failedRates = ['failed', '0', 'nan'];
const buildLine = /^build: (\S+) \((\d+)\)$/;
const separator = /^[|\s:-]+$/;

/** Whether a line is the heading of llama-bench's table. */
export function isMarkdownHeading(line: string): boolean {
  const cells = cellsOf(line) ?? [];
  return cells.includes('test') && cells.includes('t/s');
}

/** The rows of Markdown tables; the build that is named below a table belongs to its rows. */
export function readMarkdownRows(source: SourceText): RowsRead {
  const read = nothingRead();
  let headings: string[] | null = null;
  let unnamed: RawRow[] = [];
  let rowCount = 0;
  const lines = [...splitSourceLines(source.text)];
  for (const [index, { text, start, number }] of lines.entries()) {
    if (givesUp(read, number)) break;
    const cells = cellsOf(text);
    const build = buildLine.exec(text.trim());
    if (isMarkdownHeading(text)) {
      headings = cells!;
      unnamed = [];
    } else if (build !== null) {
      for (const { fields } of unnamed) {
        fields.set('build_commit', { kind: 'text', text: build[1]! });
        fields.set('build_number', { kind: 'text', text: build[2]! });
      }
      unnamed = [];
    } else if (headings === null || !text.trimStart().startsWith('|')) {
      if (!/^\s*(```\w*)?\s*$/.test(text)) noteIgnored(read, source, start, start + text.length);
    } else if (!separator.test(text)) {
      rowCount += 1;
      const where = `row ${rowCount} (line ${number})`;
      if (cells?.length === headings.length) {
        const fields = fieldsOf(headings, cells, where, read);
        if (fields !== null) {
          const row = { row: rowCount, line: number, fields };
          read.rows.push(row);
          unnamed.push(row);
        }
      } else if (isCut(lines, index)) {
        const bytes = source.byteLength(start, start + text.length);
        const what = `row ${rowCount} has no end: the file stops inside it`;
        read.losses.push({ line: number, bytes, what });
      } else {
        const count = formatCount(cells?.length ?? 0, 'cell');
        read.faults.push({ where, what: `has ${count} where the heading has ${headings.length}` });
      }
    }
  }
  return read;
}

function isCut(lines: readonly SourceLine[], index: number): boolean {
  return index === lines.length - 1 && !lines[index]!.isEnded;
}

/** The cells between `|`, or null for a line that is no row of a table. */
function cellsOf(line: string): string[] | null {
  const text = line.trim();
  if (!text.startsWith('|') || !text.endsWith('|') || text.length < 2) return null;
  return text
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => unescapeCell(cell).trim());
}

/** A row with the names of the other layouts, or null with a fault. */
function fieldsOf(
  headings: readonly string[],
  cells: readonly string[],
  where: string,
  read: RowsRead,
): Map<string, RawValue> | null {
  const cellOf = new Map(headings.map((heading, index) => [heading, cells[index]!]));
  const test = testName.exec(cellOf.get('test')!);
  const rateCell = cellOf.get('t/s')!;
  const rates = rateCell === failedRates[0] ? failedRates : rate.exec(rateCell);
  if (test === null || cellOf.get('test') === '') {
    const what = `the test ${JSON.stringify(cellOf.get('test'))} is none of pp512, tg128, pp512+tg128`;
    read.faults.push({ where, what });
  }
  if (rates === null) {
    const what = `t/s is ${JSON.stringify(rateCell)}, not a rate with its deviation such as 34.05 ± 0.12`;
    read.faults.push({ where, what });
  }
  if (test === null || rates === null) return null;
  const [, prompt = '0', generated = '0', depth = '0'] = test;
  const [, average = '', deviation = ''] = rates;
  const settings = headings.filter((heading) => heading !== 'test' && heading !== 't/s');
  const texts: [string, string][] = [
    ...settings.map((heading): [string, string] => [
      columnOfHeading(heading),
      cellOf.get(heading)!,
    ]),
    ['n_prompt', prompt],
    ['n_gen', generated],
    ['n_depth', depth],
    ['avg_ts', average],
    ['stddev_ts', deviation],
  ];
  return new Map(texts.map(([name, text]) => [name, { kind: 'text', text }]));
}
