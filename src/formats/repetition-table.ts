import type { Fault } from '../errors.ts';
import type { Item } from './architecture.ts';
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
import { readWhole, trialKey } from './trial-table.ts';

const timeColumns = [
  { name: 'repetition', type: 'integer', description: 'Place in its process, from 0.' },
  {
    name: 'kind',
    type: 'string',
    description: 'Warm-up is excluded by the protocol, not by its time.',
    values: ['warmup', 'kept'],
  },
  { name: 'wallNs', type: 'integer', unit: 'ns', description: 'The timed region.' },
  {
    name: 'prepareNs',
    type: 'integer',
    unit: 'ns',
    description:
      'What came before it outside the timer: clearing, and in decode the prefill of S tokens; empty where nobody measured it.',
    optional: true,
  },
] as const satisfies readonly TableColumn[];

/** The repetitions of the observed trials, version 1: `repetitions.csv` beside `trials.csv`. */
export const repetitionColumns = [...placeColumns, ...timeColumns] as const;

/** The same of version 2. */
export const wideRepetitionColumns = [...widePlaceColumns, ...timeColumns] as const;

export const repetitionColumnsOf = (version: TableVersion): readonly TableColumn[] =>
  version === 1 ? repetitionColumns : wideRepetitionColumns;

/** All repetitions of one trial, in order. */
export interface TrialRepetitions {
  item: Item;
  round: number;
  position: number;
  /** How many of them, the first, are warm-up. */
  warmup: number;
  wallNs: number[];
  prepareNs: (number | null)[];
}

/** The same as read, with the line of the first and the last. */
export interface RepetitionLines extends TrialRepetitions {
  lines: [number, number];
}

/** @param version the oldest that can hold the trials, unless it is given */
export function formatRepetitionTable(
  trials: readonly TrialRepetitions[],
  version = tableVersionFor(trials.map(({ item }) => item)),
): string {
  const lines = [formatCsvRow(repetitionColumnsOf(version).map(({ name }) => name))];
  for (const { item, round, position, warmup, wallNs, prepareNs } of trials) {
    const cells: Record<string, string | number | null> = { ...itemCells(item), round, position };
    const place = placeColumnsOf(version).map(({ name }) => cells[name]!);
    wallNs.forEach((ns, index) => {
      const kind = index < warmup ? 'warmup' : 'kept';
      lines.push(formatCsvRow([...place, index, kind, ns, prepareNs[index]!]));
    });
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Reads `repetitions.csv`. The repetitions of a trial stand in one piece and in order, warm-up
 * before kept, as many of each in every trial.
 * @returns by `trialKey`
 */
export function readRepetitionTable(text: string): {
  trials: Map<string, RepetitionLines>;
  faults: Fault[];
} {
  const version = tableVersionOf(text);
  const placeCount = placeColumnsOf(version).length;
  const trials = new Map<string, RepetitionLines>();
  let current: RepetitionLines | null = null;
  let currentCells = '';
  const faults = readStrictCsv(text, repetitionColumnsOf(version), (cells, line, rowFaults) => {
    const complain = (what: string) => rowFaults.push({ where: `line ${line}`, what });
    const cellsOfTrial = cells.slice(0, placeCount).join('\n');
    if (current === null || cellsOfTrial !== currentCells) {
      current = beginTrial(cells, version, line, complain);
      currentCells = cellsOfTrial;
      if (current === null) return;
      const key = trialKey(current.item, current.round);
      const twin = trials.get(key);
      if (twin !== undefined)
        complain(`${key} has repetitions from line ${twin.lines[0]} on already`);
      trials.set(key, twin ?? current);
    }
    addRepetition(current, cells.slice(placeCount), line, complain);
  });
  return { trials, faults: [...faults, ...findCountFaults([...trials.values()])] };
}

function beginTrial(
  cells: readonly string[],
  version: TableVersion,
  line: number,
  complain: (what: string) => void,
): RepetitionLines | null {
  const columns = placeColumnsOf(version);
  const cellOf = (name: PlaceColumnName) => cells[columns.findIndex((one) => one.name === name)]!;
  const item = readTableItem(cellOf, version);
  const wrong = Array.isArray(item) ? item : [];
  for (const { name, message } of wrong) complain(`${name}: ${message}`);
  const round = readWhole(cellOf('round'), 'round', complain);
  const position = readWhole(cellOf('position'), 'position', complain);
  if (Array.isArray(item) || round === null || position === null) return null;
  return {
    ...{ item, round, position, warmup: 0, wallNs: [], prepareNs: [] },
    lines: [line, line],
  };
}

function addRepetition(
  trial: RepetitionLines,
  cells: readonly string[],
  line: number,
  complain: (what: string) => void,
): void {
  const [repetition = '', kind = '', wall = '', prepare = ''] = cells;
  const index = trial.wallNs.length;
  if (repetition !== String(index)) {
    complain(`repetition is ${quoteCell(repetition)} where ${index} was due`);
  }
  if (kind === 'warmup') {
    if (trial.warmup < index) complain('a warm-up repetition after a kept one');
    trial.warmup += 1;
  } else if (kind !== 'kept') {
    complain(`kind ${quoteCell(kind)} is neither warmup nor kept`);
  }
  const wallNs = readWhole(wall, 'wallNs', complain);
  if (wallNs === 0) complain('wallNs is 0; a time is a positive number of ns');
  trial.wallNs.push(wallNs ?? 0);
  trial.prepareNs.push(prepare === '' ? null : readWhole(prepare, 'prepareNs', complain));
  trial.lines[1] = line;
}

function findCountFaults(trials: readonly RepetitionLines[]): Fault[] {
  const counts = ({ warmup, wallNs }: TrialRepetitions) =>
    `${warmup} warm-up and ${wallNs.length - warmup} kept`;
  const usual = trials[0];
  if (usual === undefined) return [];
  return trials
    .filter((trial) => counts(trial) !== counts(usual))
    .map((trial) => ({
      where: `lines ${trial.lines[0]} to ${trial.lines[1]}`,
      what: `${trialKey(trial.item, trial.round)} has ${counts(trial)} repetitions, the first trial ${counts(usual)}`,
    }));
}
