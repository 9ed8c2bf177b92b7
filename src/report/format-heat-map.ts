import type { Analysis } from '../formats/analysis.ts';
import {
  type HeatBlock,
  type HeatCell,
  type HeatMap,
  type HeatState,
  listHeatMaps,
} from './heat-map.ts';
import { explainHeatMaps, nameAxis } from './heat-map-words.ts';
import { absent } from './item-row.ts';
import { formatRate } from './quantities.ts';
import { type Column, splitTable, wrapText } from './text-layout.ts';

/** Behind each rate, so that rates stay aligned. */
const marks: Record<HeatState, string> = {
  best: '*',
  'not-told-apart': '=',
  slower: ' ',
  'no-interval': '?',
  'not-measured': ' ',
};

const markWords: Partial<Record<HeatState, string>> = {
  best: '* the best',
  'not-told-apart': '= cannot be told from the best',
  'no-interval': '? no interval',
  'not-measured': `${absent} no time`,
};

/**
 * Tokens per second of every variant, test by test, as text: the two settings that vary most are the
 * axes of a table, the others make tables of their own. Empty where there are no variants to choose from.
 * @param options.width columns of the terminal; tables that do not fit are split
 */
export function formatHeatMap(analysis: Analysis, options: { width: number }): string {
  const maps = listHeatMaps(analysis);
  if (maps.length === 0) return '';
  const { width } = options;
  const states = new Set(
    maps.flatMap(({ blocks }) => blocks.flatMap(({ cells }) => cells.map(({ state }) => state))),
  );
  const legend = (Object.keys(markWords) as HeatState[]).filter((state) => states.has(state));
  const lines = [
    ...maps.flatMap((map) => [...formatOne(map, width), '']),
    ...wrapText(legend.map((state) => markWords[state]).join('; '), width),
    ...wrapText(explainHeatMaps(maps), width),
  ];
  return `${lines.join('\n')}\n`;
}

function formatOne(map: HeatMap, width: number): string[] {
  const { title, blocks } = map;
  const axes = [map.rows, map.columns].flatMap((axis) => (axis === null ? [] : [nameAxis(axis)]));
  return [
    ...wrapText(`${title}: tokens/s by ${axes.join(' and ')}`, width),
    ...blocks.flatMap((block, index) => [
      ...(index === 0 ? [] : ['']),
      ...formatTable(map, block, width),
    ]),
  ];
}

function formatTable({ rows, columns }: HeatMap, { label, cells }: HeatBlock, width: number) {
  const at = new Map(cells.map((cell) => [`${cell.row} ${cell.column}`, cell]));
  const rowValues = rows?.values ?? [''];
  const corner = [rows?.setting, columns?.setting].filter((name) => name !== undefined);
  const first: Column = { heading: corner.join(' \\ '), align: 'left', cells: rowValues };
  const groups = (columns?.values ?? ['tokens/s']).map((heading, column): Column[] => [
    {
      heading: `${heading}  `, // above the numbers, not above their marks
      align: 'right',
      cells: rowValues.map((_, row) => formatCell(at.get(`${row} ${column}`))),
    },
  ]);
  return [
    ...(label === '' ? [] : wrapText(label, width)),
    ...splitTable(first, groups, width).flatMap((lines, index) =>
      index === 0 ? lines : ['', ...lines],
    ),
  ];
}

/** Empty for a combination that is no variant. */
function formatCell(cell: HeatCell | undefined): string {
  if (cell === undefined) return '  ';
  const { tokensPerSecond, state } = cell;
  return `${tokensPerSecond === null ? absent : formatRate(tokensPerSecond)} ${marks[state]}`;
}
