import {
  type Item,
  itemOf,
  itemSchema,
  phaseSchema,
  quantizationSchema,
  tableItemSchema,
} from './architecture.ts';
import type { TableColumn } from './strict-csv.ts';

/**
 * Versions of the public tables. In the first an item is a generated model at a sequence length in
 * one phase; the second has any file, and work that differs from what the protocol says.
 */
export type TableVersion = 1 | 2;

const phaseColumn = {
  name: 'phase',
  type: 'string',
  description: 'prefill: time to process S tokens; decode: time of single-token steps after them.',
  values: phaseSchema.options,
} as const satisfies TableColumn;

/** When a trial was measured, which tells it from all others of its campaign. */
export const turnColumns = [
  { name: 'round', type: 'integer', description: 'Round of measuring, from 0.' },
  { name: 'position', type: 'integer', description: 'Place in the order of the round, from 0.' },
] as const satisfies readonly TableColumn[];

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
  phaseColumn,
  ...turnColumns,
] as const satisfies readonly TableColumn[];

/** The same of version 2. A cell that is empty means that the item has no such member. */
export const widePlaceColumns = [
  {
    name: 'architecture',
    type: 'string',
    description: 'Name of the model: of its architecture, or the short name of its file.',
  },
  {
    name: 'quantization',
    type: 'string',
    description: 'Of the weights, as the file is labelled.',
  },
  {
    name: 'sequenceLength',
    type: 'integer',
    description:
      'S: tokens to process in prefill, length of the KV cache before decode, 0 or more.',
  },
  phaseColumn,
  {
    name: 'depth',
    type: 'integer',
    description: 'Tokens that are in the KV cache before a prefill; empty for none, and in decode.',
    optional: true,
  },
  {
    name: 'decodeSteps',
    type: 'integer',
    description: 'Steps of a decode; empty where the protocol says how many, and in prefill.',
    optional: true,
  },
  {
    name: 'variant',
    type: 'string',
    description: 'Which backend and settings of the plan; empty where it has no variants.',
    optional: true,
  },
  ...turnColumns,
] as const satisfies readonly TableColumn[];

export type PlaceColumnName = (typeof widePlaceColumns)[number]['name'];

export const placeColumnsOf = (version: TableVersion): readonly TableColumn<PlaceColumnName>[] =>
  version === 1 ? placeColumns : widePlaceColumns;

/** The columns that tell the trials of one campaign from one another; none of them may be empty. */
export const keyColumnsOf = (version: TableVersion): string[] =>
  version === 1
    ? placeColumns.map(({ name }) => name).filter((name) => name !== 'position')
    : turnColumns.map(({ name }) => name);

/** The oldest version that can hold these items, so that what it held before it holds as before. */
export function tableVersionFor(items: readonly Item[]): TableVersion {
  return items.every((item) => tableItemSchema.safeParse(itemOf(item)).success) ? 1 : 2;
}

const onlyInTwo = new Set<string>(['depth', 'decodeSteps', 'variant']);

/** The version whose columns a table names in its first line; the first where it names none. */
export function tableVersionOf(text: string): TableVersion {
  const [header = ''] = text.replace(/^\uFEFF?[\r\n]*/, '').split(/[\r\n]/, 1);
  return header.split(',').some((cell) => onlyInTwo.has(cell.replace(/^"|"$/g, ''))) ? 2 : 1;
}

/** Cells of an item; those that the version has no column for are not looked at. */
export function itemCells(item: Item): Record<string, string | number | null> {
  const { architecture, quantization, sequenceLength, phase } = item;
  const { depth = null, decodeSteps = null, variant = null } = item;
  return { architecture, quantization, sequenceLength, phase, depth, decodeSteps, variant };
}

const wideItemSchema = itemSchema.superRefine(
  ({ phase, sequenceLength, depth, decodeSteps }, { addIssue }) => {
    const refuse = (name: PlaceColumnName, message: string) =>
      addIssue({ code: 'custom', path: [name], message });
    if (phase === 'prefill' && sequenceLength === 0)
      refuse('sequenceLength', 'a prefill has at least one token');
    if (phase === 'prefill' && decodeSteps !== undefined)
      refuse('decodeSteps', 'a prefill has no steps');
    if (phase === 'decode' && depth !== undefined)
      refuse('depth', 'is a prefill’s; a decode starts after sequenceLength tokens');
  },
);

/** @returns the item, or what is wrong with which of its cells */
export function readTableItem(
  cellOf: (name: PlaceColumnName) => string,
  version: TableVersion,
): Item | { name: PlaceColumnName; message: string }[] {
  const whole = (name: PlaceColumnName) => {
    const text = cellOf(name);
    return /^\d+$/.test(text) ? Number(text) : text;
  };
  const other = (name: PlaceColumnName, value: string | number) =>
    cellOf(name) === '' ? {} : { [name]: value };
  const named = {
    architecture: cellOf('architecture'),
    quantization: cellOf('quantization'),
    sequenceLength: whole('sequenceLength'),
    phase: cellOf('phase'),
  };
  const parsed =
    version === 1
      ? tableItemSchema.safeParse(named)
      : wideItemSchema.safeParse({
          ...named,
          ...other('depth', whole('depth')),
          ...other('decodeSteps', whole('decodeSteps')),
          ...other('variant', cellOf('variant')),
        });
  if (parsed.success) return parsed.data;
  return parsed.error.issues.map(({ path, message }) => ({
    name: String(path[0]) as PlaceColumnName,
    message,
  }));
}
