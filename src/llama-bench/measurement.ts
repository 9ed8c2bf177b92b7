import type { Fault } from '../errors.ts';
import { quoteCell } from '../formats/strict-csv.ts';
import { isResultColumn, type PrintedColumn, printedColumns, processesColumn } from './columns.ts';
import type { RawRow, RawValue } from './raw-row.ts';
import type { SampleKind } from './sample-kind.ts';

/** A row whose values have the right form. */
export interface Measurement {
  row: number;
  line: number;
  /** Every column but the results, as text. */
  condition: Record<string, string>;
  promptTokens: number;
  generatedTokens: number;
  depthTokens: number | null;
  testTime: string | null;
  sampleKind: SampleKind;
  /** null: the file has none. Empty: nothing was repeated. */
  samplesNs: bigint[] | null;
  /** samples_ts, rounded to six digits by llama-bench. */
  samplesTs: number[] | null;
  printed: Partial<Record<PrintedColumn, PrintedText>>;
}

export interface PrintedText {
  text: string;
  /** NaN for what C++ prints instead of a number. */
  value: number;
}

/** Reads one row and notes every fault of it. @returns null if there is one */
export function readMeasurement(raw: RawRow, faults: Fault[]): Measurement | null {
  const before = faults.length;
  const fault = (column: string, what: string) =>
    faults.push({ where: `row ${raw.row} (line ${raw.line}), ${column}`, what });
  const { fields } = raw;

  const tokens = {
    n_prompt: readCount(fields.get('n_prompt')),
    n_gen: readCount(fields.get('n_gen')),
    n_depth: fields.has('n_depth') ? readCount(fields.get('n_depth')) : null,
  };
  for (const [column, count] of Object.entries(tokens)) {
    if (count === undefined) fault(column, 'is missing');
    else if (typeof count === 'string') fault(column, `must be a whole number, is ${count}`);
  }
  if (tokens.n_prompt === 0 && tokens.n_gen === 0) {
    fault('n_prompt and n_gen', 'are both 0: such a test processes no token and has no rate');
  }

  const samplesNs = readSamples(fields.get('samples_ns'), readNanoseconds, (what) =>
    fault('samples_ns', what),
  );
  const samplesTs = readSamples(fields.get('samples_ts'), readRate, (what) =>
    fault('samples_ts', what),
  );
  const printed: Measurement['printed'] = {};
  for (const column of printedColumns) {
    const value = fields.get(column);
    if (value === undefined) continue;
    const read = readPrinted(column, value);
    if (typeof read === 'string') fault(column, read);
    else printed[column] = read;
  }
  if (samplesNs === null && printed.avg_ns === undefined && printed.avg_ts === undefined) {
    if (faults.length === before) fault('samples_ns', 'is missing, and so are avg_ns and avg_ts');
  }
  const averages = [printed.avg_ns?.value, printed.avg_ts?.value];
  if (!samplesNs && averages.includes(0) && averages.some((average) => average! > 0)) {
    fault('avg_ns and avg_ts', 'contradict each other: one is 0, as without repetitions');
  }
  if (faults.length > before) return null;
  return {
    row: raw.row,
    line: raw.line,
    condition: conditionOf(fields),
    promptTokens: tokens.n_prompt as number,
    generatedTokens: tokens.n_gen as number,
    depthTokens: tokens.n_depth as number | null,
    testTime: fields.get('test_time')?.text.toWellFormed() ?? null,
    sampleKind: isGiven(fields.get(processesColumn)) ? 'process' : 'repetition',
    samplesNs,
    samplesTs,
    printed,
  };
}

/** A table of both kinds of rows has a cell for every column. */
function isGiven(value: RawValue | undefined): boolean {
  return value !== undefined && value.kind !== 'null' && value.text.trim() !== '';
}

function conditionOf(fields: ReadonlyMap<string, RawValue>): Record<string, string> {
  const settings = [...fields].filter(([name]) => !isResultColumn(name));
  return Object.fromEntries(
    settings.map(([name, { text }]) => [name.toWellFormed(), text.toWellFormed()]),
  );
}

/** 104 days; doubles hold every whole number up to here. */
const longestNs = BigInt(Number.MAX_SAFE_INTEGER);
/** More digits than any of llama-bench's numbers has. */
const maxDigits = 40;

const isNumeric = ({ kind }: RawValue) => kind === 'number' || kind === 'text';

/** @returns a description of what stands there instead, or undefined for nothing */
function readCount(value: RawValue | undefined): number | string | undefined {
  if (value === undefined) return undefined;
  const count = Number(value.text);
  const isCount = isNumeric(value) && /^\d{1,16}$/.test(value.text) && Number.isSafeInteger(count);
  return isCount ? count : describeValue(value);
}

function readSamples<Sample>(
  value: RawValue | undefined,
  read: (item: RawValue) => Sample | string,
  onFault: (what: string) => void,
): Sample[] | null {
  if (value === undefined || value.kind === 'null') return null;
  const items = value.kind === 'array' ? value.items : itemsOfText(value);
  if (items === null) {
    onFault(`must be an array, is ${describeValue(value)}`);
    return null;
  }
  const samples: Sample[] = [];
  const wrong: string[] = [];
  items.forEach((item, index) => {
    const sample = read(item);
    if (typeof sample === 'string') wrong.push(`[${index}] ${sample}`);
    else samples.push(sample);
  });
  const more = wrong.length - namedSamples;
  const named = wrong.slice(0, namedSamples).join('; ');
  if (wrong.length > 0) onFault(more > 0 ? `${named}; and ${more} more` : named);
  return samples;
}

/** Wrong samples that are named one by one. */
const namedSamples = 5;

/** A JSON array that was put into a cell of a table. */
function itemsOfText({ kind, text }: RawValue): RawValue[] | null {
  const inside = /^\[([^[\]]*)\]$/.exec(text.trim())?.[1];
  if (kind !== 'text' || inside === undefined) return null;
  if (inside.trim() === '') return [];
  return inside.split(',').map((item) => ({ kind: 'text', text: item.trim() }));
}

function readNanoseconds(item: RawValue): bigint | string {
  if (!isNumeric(item)) return `must be a number of nanoseconds, is ${describeValue(item)}`;
  if (!/^\d{1,40}$/.test(item.text)) {
    return `is ${quoteBare(item.text)}: a time is a positive whole number of nanoseconds`;
  }
  const ns = BigInt(item.text);
  if (ns === 0n) return 'is 0: no repetition takes no time';
  if (ns > longestNs) return `is ${item.text} ns: no repetition takes more than 104 days`;
  return ns;
}

function readRate(item: RawValue): number | string {
  const rate = numberOf(item);
  if (rate === null) return `must be a number, is ${describeValue(item)}`;
  return rate > 0 && Number.isFinite(rate)
    ? rate
    : `is ${quoteBare(item.text)}: a rate is positive`;
}

/** @returns what is wrong with it, if anything */
function readPrinted(column: PrintedColumn, value: RawValue): PrintedText | string {
  const number = numberOf(value);
  if (number === null) return `must be a number, is ${describeValue(value)}`;
  const isWhole = column.endsWith('_ns');
  if (number < 0) return `is ${quoteBare(value.text)}, but cannot be negative`;
  if (isWhole && !Number.isNaN(number) && !/^\d+(\.0+)?$/.test(value.text)) {
    return `must be a whole number of nanoseconds, is ${quoteBare(value.text)}`;
  }
  if (Number.isNaN(number) && column.startsWith('avg')) {
    return `is ${quoteBare(value.text)}, no number`;
  }
  return { text: value.text, value: number };
}

/** NaN for `nan` and infinities as C++ prints them; null for what is no number at all. */
function numberOf(value: RawValue): number | null {
  if (!isNumeric(value)) return null;
  const text = value.text.trim();
  if (/^-?(nan(\([a-z]*\))?|inf(inity)?|1\.#[A-Z]+)$/i.test(text)) return Number.NaN;
  if (text.length > maxDigits || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

function describeValue({ kind, text }: RawValue): string {
  if (kind === 'null') return 'null';
  if (kind === 'boolean') return text === '1' ? 'true' : 'false';
  if (kind === 'number') return quoteBare(text);
  if (kind === 'array' || kind === 'object') return kind === 'array' ? 'an array' : 'an object';
  return text === '' ? 'empty' : `the text ${quoteCell(text)}`;
}

function quoteBare(text: string): string {
  return quoteCell(text).slice(1, -1);
}
