import { axisX, axisY, cell, text } from '@observablehq/plot';
import { toPrintable } from '../../printable.ts';
import type { HeatCell, HeatMap, HeatState } from '../heat-map.ts';
import { explainHeatMaps, nameAxis } from '../heat-map-words.ts';
import { html } from '../html.ts';
import { formatRate } from '../quantities.ts';
import type { Figure } from './draw.ts';

/** How strongly the slowest and the best cell are coloured: text on both has a contrast above 4.5. */
const [palest, strongest] = [0.04, 0.45];

const rowHeight = 30;
const labelWidth = 6.4; // of a character, in CSS pixels

const stateWords: Record<HeatState, string> = {
  best: 'the best',
  'not-told-apart': 'cannot be told from the best',
  slower: 'its interval lies below that of the best',
  'no-interval': 'no interval',
  'not-measured': 'no time',
};

/**
 * Tokens per second of one test under every variant. One hue, from pale to strong, so that nothing
 * rests on telling colours apart; each rate stands in its cell, and frames say what the marks say.
 */
export function figureOfHeatMap(map: HeatMap): Figure {
  const { title, phase, rows, columns } = map;
  const blocks = map.blocks.map((block) => ({ ...block, label: toPrintable(block.label) }));
  const rowValues = (rows?.values ?? ['']).map(toPrintable);
  const columnValues = (columns?.values ?? ['']).map(toPrintable);
  const rates = blocks.flatMap(({ cells }) => cells.flatMap((one) => one.tokensPerSecond ?? []));
  const [least, most] = [Math.min(...rates), Math.max(...rates)];
  const strengthOf = (rate: number) =>
    most === least ? strongest : palest + ((rate - least) / (most - least)) * (strongest - palest);
  const cells = blocks.flatMap(({ label, cells: members }) =>
    members.map((one) => ({
      block: label,
      row: rowValues[one.row]!,
      column: columnValues[one.column]!,
      state: one.state,
      strength: one.tokensPerSecond === null ? 0 : strengthOf(one.tokensPerSecond),
      label: labelOf(one),
      title: describeCell(one),
    })),
  );
  const framed = (state: HeatState) => cells.filter((one) => one.state === state);
  const hasBlocks = blocks.length > 1;
  const axes = [rows, columns].flatMap((axis) => (axis === null ? [] : [nameAxis(axis)]));
  return {
    description: `Heat map: tokens per second of ${title} by ${axes.join(' and ')}.`,
    caption: html`<b>${title}, in tokens/s.</b> The stronger the colour, the faster; the best has a thick frame and *, cells
      that cannot be told from it a dashed frame and =; ? has no interval. ${explainHeatMaps([map])}`,
    draw(size, width) {
      const longest = Math.max(...rowValues.map((value) => value.length));
      const place = { x: 'column', y: 'row', ...(hasBlocks ? { fy: 'block' } : {}) };
      const blockGap = 34;
      return {
        height: blocks.length * (rowValues.length * rowHeight + blockGap) + 80,
        marginLeft: Math.min(longest * labelWidth + 28, width * 0.3),
        marginRight: 12,
        marginTop: hasBlocks ? 62 : 44,
        marginBottom: 6,
        x: { domain: columnValues, label: null, padding: 0.06 },
        y: { domain: rowValues, label: null, padding: 0.1 },
        ...(hasBlocks
          ? {
              fy: {
                domain: blocks.map(({ label }) => label),
                label: null,
                axis: null,
                padding: blockGap / (rowValues.length * rowHeight + blockGap),
              },
            }
          : {}),
        marks: [
          axisX({
            anchor: 'top',
            tickSize: 0,
            tickPadding: hasBlocks ? 20 : 3, // room for the label of the first block
            label: columns === null ? null : nameAxis(columns),
            labelAnchor: 'center',
            labelArrow: false,
          }),
          axisY({
            tickSize: 0,
            label: rows === null ? null : nameAxis(rows),
            labelAnchor: 'top',
            labelArrow: false,
          }),
          ...(hasBlocks
            ? [
                text(
                  blocks.map(({ label }) => ({ block: label })),
                  {
                    fy: 'block',
                    text: 'block',
                    frameAnchor: 'top-left',
                    textAnchor: 'start',
                    lineAnchor: 'bottom',
                    dx: 2,
                    dy: -3,
                    fill: 'var(--ink)',
                  },
                ),
              ]
            : []),
          cell(cells, {
            ...place,
            fill: `var(--${phase})`,
            fillOpacity: (one: (typeof cells)[number]) => one.strength,
            title: 'title',
          }),
          cell(framed('not-told-apart'), {
            ...place,
            stroke: 'var(--ink)',
            strokeDasharray: '4,3',
            inset: 0.5,
          }),
          cell(framed('best'), { ...place, stroke: 'var(--ink)', strokeWidth: 2.5, inset: 1 }),
          text(cells, {
            ...place,
            text: 'label',
            fill: 'var(--ink)',
            fontSize: size === 'narrow' && columnValues.length > 4 ? 8 : 11,
          }),
        ],
      };
    },
  };
}

const marks: Record<HeatState, string> = {
  best: ' *',
  'not-told-apart': ' =',
  slower: '',
  'no-interval': ' ?',
  'not-measured': '',
};

function labelOf({ tokensPerSecond, state }: HeatCell): string {
  return tokensPerSecond === null ? '–' : `${formatRate(tokensPerSecond)}${marks[state]}`;
}

function describeCell({ variant, tokensPerSecond, interval, state }: HeatCell): string {
  if (tokensPerSecond === null) return `${variant}: ${stateWords[state]}`;
  const ends =
    interval === null ? '' : ` (${formatRate(interval.lower)}–${formatRate(interval.upper)})`;
  return `${variant}: ${formatRate(tokensPerSecond)} tokens/s${ends}, ${stateWords[state]}`;
}
