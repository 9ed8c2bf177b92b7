import type { LlamaBenchFinding, LlamaBenchImport } from '../formats/llama-bench-import.ts';
import { canonicalJson, identityOf } from '../hash.ts';
import { isKnownColumn } from './columns.ts';
import type { Measurement } from './measurement.ts';

type Condition = LlamaBenchImport['conditions'][number];

/**
 * Rows with the same value in every column but the results are of one condition: unknown columns
 * count as settings, so that nothing is averaged over them. They stay runs of their own.
 */
export function groupByCondition(measurements: readonly Measurement[]): Condition[] {
  const groups = new Map<string, Condition>();
  measurements.forEach(({ condition }, index) => {
    const identity = canonicalJson(condition);
    const group = groups.get(identity);
    if (group) group.runs.push(index);
    else groups.set(identity, { key: identityOf(condition), fields: condition, runs: [index] });
  });
  return [...groups.values()];
}

export function findUnknownColumns(measurements: readonly Measurement[]): string[] {
  const names = new Set(measurements.flatMap(({ condition }) => Object.keys(condition)));
  return [...names].filter((name) => !isKnownColumn(name));
}

/** Conditions that were measured more than once, and rows that are copies of one another. */
export function findRepeatedRows(
  conditions: readonly Condition[],
  measurements: readonly Measurement[],
): LlamaBenchFinding[] {
  return conditions
    .filter(({ runs }) => runs.length > 1)
    .flatMap(({ runs }): LlamaBenchFinding[] => {
      const rows = runs.map((index) => measurements[index]!);
      const copies = groupCopies(rows).filter((group) => group.length > 1);
      return [
        {
          code: 'same-condition',
          severity: 'notice',
          column: null,
          text: `rows ${listRows(rows)} have the same condition; they stay ${rows.length} runs and are not pooled`,
        },
        ...copies.map(
          (group): LlamaBenchFinding => ({
            code: 'same-row',
            severity: 'wrong',
            column: null,
            text: `rows ${listRows(group)} are the same to the last digit: copies of one measurement, which count once`,
          }),
        ),
      ];
    });
}

function groupCopies(rows: readonly Measurement[]): Measurement[][] {
  const groups = new Map<string, Measurement[]>();
  for (const row of rows) {
    const identity = canonicalJson([
      row.testTime,
      row.samplesNs?.map(String) ?? null,
      Object.entries(row.printed).map(([column, { text }]) => [column, text]),
    ]);
    const group = groups.get(identity);
    if (group) group.push(row);
    else groups.set(identity, [row]);
  }
  return [...groups.values()];
}

/** Rows that are named one by one. */
const namedRows = 10;

/** `1, 2, 3`: where rows stand among those of the file. */
export function listRows(rows: readonly Measurement[]): string {
  const names = rows.slice(0, namedRows).map(({ row }) => row);
  const more = rows.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
