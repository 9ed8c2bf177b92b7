import type { Fault } from '../errors.ts';
import type { Fraction } from '../stats/fraction.ts';
import type { TrialAnalysis } from './analysis.ts';
import {
  formatItem,
  type Item,
  nameSchema,
  phaseSchema,
  quantizationSchema,
  tableItemSchema,
} from './architecture.ts';
import { parseDecimal } from './decimal.ts';
import { formatCsvRow, quoteCell, readStrictCsv, type TableColumn } from './strict-csv.ts';

type State = TrialAnalysis['state'];
const states: readonly State[] = ['observed', 'failed', 'interrupted', 'pending'];

/** What a trial is a trial of: the first columns of both public tables after the campaign's. */
export const placeColumns = [
  { name: 'architecture', type: 'string', description: 'Name of the architecture.' },
  {
    name: 'quantization',
    type: 'string',
    description: 'Of the weights.',
    values: quantizationSchema.options,
  },
  {
    name: 'sequenceLength',
    type: 'integer',
    description: 'S: tokens to process in prefill, length of the KV cache before decode.',
  },
  {
    name: 'phase',
    type: 'string',
    description:
      'prefill: time to process S tokens; decode: time of single-token steps after them.',
    values: phaseSchema.options,
  },
  { name: 'round', type: 'integer', description: 'Round of measuring, from 0.' },
  { name: 'position', type: 'integer', description: 'Place in the order of the round, from 0.' },
] as const satisfies readonly TableColumn[];

/** The public trial table, format 1: `trials.csv`, one row a trial that was begun. */
export const trialColumns = [
  { name: 'campaign', type: 'string', description: 'Name of the campaign.' },
  { name: 'protocol', type: 'string', description: 'Name of the rules of measuring.' },
  { name: 'device', type: 'string', description: 'What was measured on.' },
  ...placeColumns,
  {
    name: 'state',
    type: 'string',
    description: 'What came of the trial. Only observed ones have times; nothing is removed.',
    values: states,
  },
  {
    name: 'trialMeanNs',
    type: 'number',
    unit: 'ns',
    description: 'Mean of the kept repetitions of this one process: one sample.',
    optional: true,
  },
  {
    name: 'inTrialCv',
    type: 'number',
    unit: '1',
    description:
      'Standard deviation (ddof 1) over mean of the kept repetitions, as a fraction; empty for one.',
    optional: true,
  },
  {
    name: 'processNs',
    type: 'integer',
    unit: 'ns',
    description: 'The whole process from its start to its end.',
    optional: true,
  },
] as const satisfies readonly TableColumn[];

type ColumnName = (typeof trialColumns)[number]['name'];
/** What a row says besides its times. */
export interface TrialPlace {
  campaign: string;
  protocol: string;
  device: string;
  item: Item;
  round: number;
  position: number;
  state: State;
}

/** A row to be written. */
export interface TrialRow extends TrialPlace {
  trialMeanNs: number | null;
  inTrialCv: number | null;
  processNs: number | null;
}

/** A row that was read: its decimals exactly as they are written. */
export interface TrialLine extends TrialPlace {
  /** Line of the file, from 1. */
  line: number;
  trialMeanNs: Fraction | null;
  inTrialCv: Fraction | null;
  processNs: number | null;
}

/** Numbers as the shortest decimals that read back as the same doubles. */
export function formatTrialTable(rows: readonly TrialRow[]): string {
  const lines = rows.map(({ item, ...row }) => {
    const cells = { ...row, ...item };
    return formatCsvRow(trialColumns.map(({ name }) => cells[name]));
  });
  return `${[formatCsvRow(trialColumns.map(({ name }) => name)), ...lines].join('\n')}\n`;
}

/** Reads `trials.csv`, row by row; what rows say of one another is `findTrialTableFaults`'s. */
export function readTrialTable(text: string): { lines: TrialLine[]; faults: Fault[] } {
  const lines: TrialLine[] = [];
  const items = new Map<string, Item | Fault[]>();
  const faults = readStrictCsv(text, trialColumns, (cells, line, rowFaults) => {
    const row = readRow(cells, line, items, rowFaults);
    if (row !== null) lines.push(row);
  });
  return { lines, faults };
}

const cellOf = (cells: readonly string[], name: ColumnName): string =>
  cells[trialColumns.findIndex((column) => column.name === name)]!;

function readRow(
  cells: readonly string[],
  line: number,
  items: Map<string, Item | Fault[]>,
  faults: Fault[],
): TrialLine | null {
  const before = faults.length;
  const where = `line ${line}`;
  const complain = (what: string) => faults.push({ where, what });
  const [campaign, protocol, device] = cells as [string, string, string];
  for (const [name, value] of Object.entries({ campaign, protocol })) {
    if (!nameSchema.safeParse(value).success) complain(`${name} ${quoteCell(value)} is no name`);
  }
  if (!/\S/.test(device)) complain('device is empty');

  const item = readItem(cells.slice(3, 7), items);
  if (Array.isArray(item)) faults.push(...item.map((fault) => ({ ...fault, where })));
  const round = readWhole(cellOf(cells, 'round'), 'round', complain);
  const position = readWhole(cellOf(cells, 'position'), 'position', complain);
  const state = states.find((known) => known === cellOf(cells, 'state'));
  if (state === undefined) {
    complain(`state ${quoteCell(cellOf(cells, 'state'))} is none of ${states.join(', ')}`);
  }
  const times =
    state === 'observed' ? readTimes(cells, complain) : refuseTimes(cells, state, complain);
  if (faults.length > before || Array.isArray(item) || state === undefined) return null;
  return {
    ...{ line, campaign, protocol, device, item, state, ...times },
    round: round!,
    position: position!,
  };
}

/** Items repeat from row to row, so each is checked once. */
function readItem(cells: readonly string[], known: Map<string, Item | Fault[]>): Item | Fault[] {
  const key = cells.join('\n');
  const found = known.get(key);
  if (found !== undefined) return found;
  const [architecture, quantization, length = '', phase] = cells;
  const sequenceLength = /^\d+$/.test(length) ? Number(length) : length;
  const parsed = tableItemSchema.safeParse({ architecture, quantization, sequenceLength, phase });
  const read = parsed.success
    ? parsed.data
    : parsed.error.issues.map((issue) => {
        const name = String(issue.path[0]);
        const cell = quoteCell(cellOf(['', '', '', ...cells], name as ColumnName));
        return { where: '', what: `${name} ${cell}: ${issue.message}` };
      });
  known.set(key, read);
  return read;
}

/** @returns null, after a complaint, for anything but digits. */
export function readWhole(
  text: string,
  name: string,
  complain: (what: string) => void,
): number | null {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  complain(`${name} is ${text === '' ? 'empty' : quoteCell(text)} and must be a whole number`);
  return null;
}

function readTimes(cells: readonly string[], complain: (what: string) => void) {
  const mean = readTime(cellOf(cells, 'trialMeanNs'), 'trialMeanNs', complain);
  const whole = readTime(cellOf(cells, 'processNs'), 'processNs', complain);
  const cvText = cellOf(cells, 'inTrialCv');
  const cv = cvText === '' ? null : parseDecimal(cvText);
  if (cvText !== '' && (cv === null || cv.numerator < 0n)) {
    complain(`inTrialCv is ${quoteCell(cvText)} and must be a decimal fraction, 0 or more`);
  }
  let processNs: number | null = null;
  if (whole !== null) {
    processNs = Number(whole.numerator / whole.denominator);
    if (whole.numerator % whole.denominator !== 0n || !Number.isSafeInteger(processNs)) {
      complain('processNs must be a whole number of nanoseconds');
    } else if (mean !== null && isAbove(mean, whole)) {
      complain(
        'processNs is less than trialMeanNs, although the process contains its repetitions: are both in nanoseconds?',
      );
    }
  }
  return { trialMeanNs: mean, inTrialCv: cv, processNs };
}

const isAbove = (a: Fraction, b: Fraction) =>
  a.numerator * b.denominator > b.numerator * a.denominator;

function readTime(text: string, name: string, complain: (what: string) => void): Fraction | null {
  if (text === '') {
    complain(`${name} is empty in an observed trial`);
    return null;
  }
  const time = parseDecimal(text);
  if (time !== null && time.numerator > 0n) return time;
  const what = time === null ? 'is no decimal number' : 'is not above 0';
  complain(`${name} is ${quoteCell(text)}, which ${what}; a time is a positive number of ns`);
  return null;
}

function refuseTimes(
  cells: readonly string[],
  state: State | undefined,
  complain: (what: string) => void,
) {
  for (const name of ['trialMeanNs', 'inTrialCv', 'processNs'] as const) {
    const text = cellOf(cells, name);
    if (state !== undefined && text !== '') {
      complain(
        `${name} is ${quoteCell(text)} in a trial that is ${state}: only observed ones have times`,
      );
    }
  }
  return { trialMeanNs: null, inTrialCv: null, processNs: null };
}

/** What makes two rows rows of one trial. */
export function trialKey(item: Item, round: number): string {
  return `${formatItem(item)}, round ${round}`;
}
