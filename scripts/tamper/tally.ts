import { formatCount } from '../../src/units.ts';
import type { Judge, Judgement } from './judge.ts';
import type { Mutation } from './mutation.ts';

/** What must come of a change. */
export type Expectation =
  /** Named, but for what is at the end of the file; a seal shows that too. */
  | 'named'
  /** A fault somewhere by the story that the entries tell; a seal shows it too. */
  | 'found'
  /** With the seal; without it only where something else in the ledger contradicts it. */
  | 'with-seal';

export interface Row {
  kind: string;
  tried: number;
  named: number;
  elsewhere: number;
  refused: number;
  incomplete: number;
  unseen: number;
  withSeal: number;
}

export interface Tally {
  rows: Row[];
  /** Sentences about what did not come as it must. */
  failures: string[];
}

/** Judges every change and counts by kind. */
export async function tally(
  { judge }: Judge,
  changes: Iterable<readonly [Expectation, Mutation]>,
): Promise<Tally> {
  const rows = new Map<string, Row>();
  const failures: string[] = [];
  for (const [expectation, mutation] of changes) {
    const { kind, what } = mutation;
    const judged = await judge(mutation.bytes);
    const row = rows.get(kind) ?? emptyRow(kind);
    rows.set(kind, row);
    row.tried += 1;
    row[judged.alone] += 1;
    if (judged.withSeal) row.withSeal += 1;
    const complaint = complain(judged, expectation);
    if (complaint !== null) failures.push(`${kind}, ${what}: ${complaint}`);
  }
  return { rows: [...rows.values()], failures };
}

const emptyRow = (kind: string): Row => ({
  ...{ kind, tried: 0, named: 0, elsewhere: 0, refused: 0 },
  ...{ incomplete: 0, unseen: 0, withSeal: 0 },
});

function complain(judged: Judgement, expectation: Expectation): string | null {
  const { alone, isAtEnd, withSeal, firstFault } = judged;
  if (!withSeal) return 'not found, even with the seal';
  const isFound = alone !== 'incomplete' && alone !== 'unseen';
  if (expectation === 'found') return isFound ? null : `${alone} by the story`;
  if (expectation === 'with-seal') return null;
  if (alone === 'elsewhere') return `another line is named: ${firstFault}`;
  return isFound || isAtEnd ? null : `${alone}, and not at the end`;
}

/** A table for people. */
export function describeTally({ rows, failures }: Tally): string {
  const columns = [
    'tried',
    'named',
    'elsewhere',
    'refused',
    'incomplete',
    'unseen',
    'withSeal',
  ] as const;
  const total = emptyRow('all');
  for (const row of rows) for (const column of columns) total[column] += row[column];
  const line = (kind: string, cells: readonly (string | number)[]) =>
    `  ${kind.padEnd(40)}${cells.map((cell) => String(cell).padStart(11)).join('')}`;
  return [
    line(
      '',
      columns.map((column) => (column === 'withSeal' ? 'with seal' : column)),
    ),
    ...[...rows, total].map((row) =>
      line(
        row.kind,
        columns.map((column) => row[column]),
      ),
    ),
    `  ${formatCount(failures.length, 'failure')}`,
    ...failures.slice(0, 20).map((failure) => `    ${failure}`),
  ].join('\n');
}
