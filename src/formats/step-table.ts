import type { Fault } from '../errors.ts';
import { formatCsvRow, quoteCell, readStrictCsv, type TableColumn } from './strict-csv.ts';
import { turnColumns } from './table-place.ts';
import { readWhole } from './trial-table.ts';

const kinds = ['prefill', 'step'];

/**
 * The times of single decode steps, version 2 of the public tables: `steps.csv` beside the other two,
 * where a protocol times each step.
 */
export const stepColumns = [
  ...turnColumns,
  { name: 'repetition', type: 'integer', description: 'Place in its process, from 0.' },
  {
    name: 'kind',
    type: 'string',
    description:
      'prefill: computing the tokens before the first step, outside the timer; left out where nothing was computed. step: one decode step; those of a repetition add up to its wallNs.',
    values: kinds,
  },
  {
    name: 'step',
    type: 'integer',
    description: 'Place in the repetition, from 0; 0 for the prefill.',
  },
  { name: 'timeNs', type: 'integer', unit: 'ns', description: 'How long it took.' },
] as const satisfies readonly TableColumn[];

/** The columns that tell the rows of one campaign from one another. */
export const stepKeyColumns = stepColumns
  .map(({ name }) => name)
  .filter((name) => name !== 'timeNs');

export interface RepetitionSteps {
  /** null: nothing was computed before this repetition. */
  prefillNs: number | null;
  stepNs: number[];
}

/** All repetitions of one decode trial, warm-up included, in order. */
export interface TrialSteps {
  round: number;
  position: number;
  repetitions: RepetitionSteps[];
}

/** The same as read, with the line of the first. */
export interface StepLines extends TrialSteps {
  line: number;
}

/** What makes two rows rows of one trial. */
export const stepKey = ({ round, position }: Pick<TrialSteps, 'round' | 'position'>): string =>
  `round ${round}, position ${position}`;

export function formatStepTable(trials: readonly TrialSteps[]): string {
  const lines = [formatCsvRow(stepColumns.map(({ name }) => name))];
  for (const { round, position, repetitions } of trials) {
    repetitions.forEach(({ prefillNs, stepNs }, repetition) => {
      const place = [round, position, repetition];
      if (prefillNs !== null) lines.push(formatCsvRow([...place, 'prefill', 0, prefillNs]));
      stepNs.forEach((ns, step) => {
        lines.push(formatCsvRow([...place, 'step', step, ns]));
      });
    });
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Reads `steps.csv`. The rows of a trial stand in one piece and in order: repetition by repetition,
 * the prefill before the steps.
 * @returns by `stepKey`
 */
export function readStepTable(text: string): { trials: Map<string, StepLines>; faults: Fault[] } {
  const trials = new Map<string, StepLines>();
  let current: StepLines | null = null;
  const faults = readStrictCsv(text, stepColumns, (cells, line, rowFaults) => {
    const complain = (what: string) => rowFaults.push({ where: `line ${line}`, what });
    const [roundText = '', positionText = '', ...row] = cells;
    const round = readWhole(roundText, 'round', complain);
    const position = readWhole(positionText, 'position', complain);
    if (round === null || position === null) return;
    if (current?.round !== round || current.position !== position) {
      current = { round, position, repetitions: [], line };
      const key = stepKey(current);
      const twin = trials.get(key);
      if (twin !== undefined) complain(`${key} has steps from line ${twin.line} on already`);
      trials.set(key, twin ?? current);
    }
    addTime(current, row, complain);
  });
  return { trials, faults };
}

function addTime(
  { repetitions }: StepLines,
  [repetition = '', kind = '', step = '', time = '']: readonly string[],
  complain: (what: string) => void,
): void {
  if (!kinds.includes(kind)) {
    complain(`kind ${quoteCell(kind)} is neither prefill nor step`);
    return;
  }
  const begins = repetition === String(repetitions.length) && step === '0';
  if (begins) repetitions.push({ prefillNs: null, stepNs: [] });
  const last = repetitions.at(-1);
  const isDue =
    begins || (kind === 'step' && step !== '' && step === String(last?.stepNs.length ?? ''));
  const timeNs = readWhole(time, 'timeNs', complain);
  if (last === undefined || !isDue || (!begins && repetition !== String(repetitions.length - 1))) {
    complain(`${kind} ${quoteCell(step)} of repetition ${quoteCell(repetition)} is not due here`);
  } else if (kind === 'prefill') last.prefillNs = timeNs;
  else last.stepNs.push(timeNs ?? 0);
}
