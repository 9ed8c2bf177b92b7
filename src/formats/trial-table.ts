import type { Fault } from '../errors.ts';
import type { Fraction } from '../stats/fraction.ts';
import type { TrialAnalysis } from './analysis.ts';
import { formatItem, type Item, nameSchema } from './architecture.ts';
import { parseDecimal } from './decimal.ts';
import { formatCsvRow, quoteCell, readStrictCsv, type TableColumn } from './strict-csv.ts';
import {
  itemCells,
  type PlaceColumnName,
  placeColumns,
  placeColumnsOf,
  readTableItem,
  type TableVersion,
  tableVersionFor,
  tableVersionOf,
  widePlaceColumns,
} from './table-place.ts';

type State = TrialAnalysis['state'];
const states: readonly State[] = ['observed', 'failed', 'interrupted', 'pending'];

const campaignColumns = [
  { name: 'campaign', type: 'string', description: 'Name of the campaign.' },
  { name: 'protocol', type: 'string', description: 'Name of the rules of measuring.' },
  { name: 'device', type: 'string', description: 'What was measured on.' },
] as const satisfies readonly TableColumn[];

const outcomeColumns = [
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

/** The public trial table, version 1: `trials.csv`, one row a trial that was begun. */
export const trialColumns = [...campaignColumns, ...placeColumns, ...outcomeColumns] as const;

/** The same of version 2, for files and for work that is not the protocol's. */
export const wideTrialColumns = [
  ...campaignColumns,
  ...widePlaceColumns,
  ...outcomeColumns,
] as const;

export const trialColumnsOf = (version: TableVersion): readonly TableColumn<ColumnName>[] =>
  version === 1 ? trialColumns : wideTrialColumns;

type ColumnName = (typeof wideTrialColumns)[number]['name'];
type CellOf = (name: ColumnName) => string;

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

/**
 * Numbers as the shortest decimals that read back as the same doubles.
 * @param version the oldest that can hold the rows, unless it is given
 */
export function formatTrialTable(
  rows: readonly TrialRow[],
  version = tableVersionFor(rows.map(({ item }) => item)),
): string {
  const columns = trialColumnsOf(version);
  const lines = rows.map(({ item, ...row }) => {
    const cells: Record<string, string | number | null> = { ...row, ...itemCells(item) };
    return formatCsvRow(columns.map(({ name }) => cells[name]!));
  });
  return `${[formatCsvRow(columns.map(({ name }) => name)), ...lines].join('\n')}\n`;
}

/**
 * Reads `trials.csv` of either version, row by row; what rows say of one another is
 * `findTrialTableFaults`'s.
 */
export function readTrialTable(text: string): { lines: TrialLine[]; faults: Fault[] } {
  const version = tableVersionOf(text);
  const columns = trialColumnsOf(version);
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const readItem = createItemReader(version);
  const lines: TrialLine[] = [];
  const faults = readStrictCsv(text, columns, (cells, line, rowFaults) => {
    const row = readRow((name) => cells[places.get(name)!]!, line, readItem, rowFaults);
    if (row !== null) lines.push(row);
  });
  return { lines, faults };
}

type ItemReader = (cellOf: CellOf) => Item | { what: string }[];

function readRow(
  cellOf: CellOf,
  line: number,
  readItem: ItemReader,
  faults: Fault[],
): TrialLine | null {
  const before = faults.length;
  const where = `line ${line}`;
  const complain = (what: string) => faults.push({ where, what });
  const [campaign, protocol] = [cellOf('campaign'), cellOf('protocol')];
  const device = cellOf('device');
  for (const [name, value] of Object.entries({ campaign, protocol })) {
    if (!nameSchema.safeParse(value).success) complain(`${name} ${quoteCell(value)} is no name`);
  }
  if (!/\S/.test(device)) complain('device is empty');

  const item = readItem(cellOf);
  if (Array.isArray(item)) faults.push(...item.map((fault) => ({ ...fault, where })));
  const round = readWhole(cellOf('round'), 'round', complain);
  const position = readWhole(cellOf('position'), 'position', complain);
  const state = states.find((known) => known === cellOf('state'));
  if (state === undefined) {
    complain(`state ${quoteCell(cellOf('state'))} is none of ${states.join(', ')}`);
  }
  const times =
    state === 'observed' ? readTimes(cellOf, complain) : refuseTimes(cellOf, state, complain);
  if (faults.length > before || Array.isArray(item) || state === undefined) return null;
  return {
    ...{ line, campaign, protocol, device, item, state, ...times },
    round: round!,
    position: position!,
  };
}

/** Items repeat from row to row, so each is checked once. */
function createItemReader(version: TableVersion): ItemReader {
  const names = placeColumnsOf(version).filter(({ name }) => !isTurn(name));
  const known = new Map<string, Item | { what: string }[]>();
  return (cellOf) => {
    const key = names.map(({ name }) => cellOf(name)).join('\n');
    const found = known.get(key);
    if (found !== undefined) return found;
    const item = readTableItem(cellOf, version);
    const read = Array.isArray(item)
      ? item.map(({ name, message }) => ({
          what: `${name} ${quoteCell(cellOf(name))}: ${message}`,
        }))
      : item;
    known.set(key, read);
    return read;
  };
}

const isTurn = (name: PlaceColumnName) => name === 'round' || name === 'position';

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

function readTimes(cellOf: CellOf, complain: (what: string) => void) {
  const mean = readTime(cellOf('trialMeanNs'), 'trialMeanNs', complain);
  const whole = readTime(cellOf('processNs'), 'processNs', complain);
  const cvText = cellOf('inTrialCv');
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

function refuseTimes(cellOf: CellOf, state: State | undefined, complain: (what: string) => void) {
  for (const name of ['trialMeanNs', 'inTrialCv', 'processNs'] as const) {
    const text = cellOf(name);
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
