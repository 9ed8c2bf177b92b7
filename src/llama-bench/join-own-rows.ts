import type { RawRow, RawValue } from './raw-row.ts';

/** Beside `llama_bench`, in SQL of `rooflaw bench`: what llama-bench has no column for. */
export const ownTable = 'rooflaw_bench';
/** In tables, where llama-bench has no samples. */
export const ownSamplesColumn = 'rooflaw_samples_ns';
const ownPrefix = 'rooflaw_';

/** A row of `rooflaw_bench`, and where its statement stands in the file. */
export interface OwnRow {
  from: number;
  to: number;
  fields: ReadonlyMap<string, RawValue>;
}

/**
 * Gives each row of llama-bench's table the columns of ours: those of the first row of `rooflaw_bench`
 * that agrees in all other columns and was not taken yet. Changes `rows`.
 * @returns what belongs to no row
 */
export function joinOwnRows(rows: readonly RawRow[], own: readonly OwnRow[]): OwnRow[] {
  const shared = [...(own[0]?.fields.keys() ?? [])].filter((name) => !name.startsWith(ownPrefix));
  const keyOf = (fields: ReadonlyMap<string, RawValue>) =>
    JSON.stringify(shared.map((name) => fields.get(name)?.text ?? null));
  const waiting = Map.groupBy(rows, ({ fields }) => keyOf(fields));
  for (const group of waiting.values()) group.reverse();
  return own.filter(({ fields }) => {
    const row = waiting.get(keyOf(fields))?.pop();
    if (row === undefined) return true;
    for (const [name, value] of fields) if (!row.fields.has(name)) row.fields.set(name, value);
    return false;
  });
}

/** In a table of `rooflaw bench` the samples have a name of their own; elsewhere llama-bench's. */
export function nameSamples({ fields }: RawRow): void {
  const samples = fields.get(ownSamplesColumn);
  if (samples === undefined || samples.text.trim() === '' || fields.has('samples_ns')) return;
  fields.set('samples_ns', samples);
}
