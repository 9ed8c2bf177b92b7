import { axisX, axisY, dot, gridX, ruleX, ruleY, text, tickX } from '@observablehq/plot';
import type { Analysis } from '../../formats/analysis.ts';
import type { ItemAnalysis } from '../../formats/item-analysis.ts';
import { toPrintable } from '../../printable.ts';
import { formatWhole } from '../../units.ts';
import { html } from '../html.ts';
import { formatCondition } from '../item-row.ts';
import { formatChange, formatTime } from '../quantities.ts';
import { colourOfPhase, type Figure, formatTick, type Size } from './draw.ts';

/** Beyond this many percent from the median a dot is drawn at the edge, with its value. */
const farthestPercent = 100;

/** The least half-width of the axis: the size of v1's flags, so that calm data looks calm. */
const leastPercent = 5;

const rowHeight = 19;
/** Of the labels, and about what a letter of them takes. */
const fontSize = 11;
const letterWidth = 6.4;
/** Share of a drawing’s width that labels may take; longer ones lose their middle. */
const widestLabels: Record<Size, number> = { wide: 0.42, narrow: 0.5 };

/** Every trial mean against its item's median, with the interval. */
export function figureOfTrialMeans(analysis: Analysis): Figure {
  const { phases } = analysis.protocol;
  const model = nameOnlyModel(analysis.items);
  const names = analysis.items.map((item) =>
    formatCondition(item, analysis).slice(model === null ? 0 : model.length + 1),
  );
  // each phase apart where all have the same conditions; else rows of the others would stay empty
  const isApart = new Set(names).size * phases.length === names.length;
  const rows = isApart
    ? names
    : names.map((name, item) => `${name} ${analysis.items[item]!.phase}`);
  const relative = (item: number, ns: number) =>
    (ns / analysis.items[item]!.representativeNs! - 1) * 100;
  const dots = analysis.trials.flatMap(({ item, round, trialMeanNs }) => {
    if (trialMeanNs === null) return [];
    const percent = relative(item, trialMeanNs);
    const title = `round ${round + 1}: ${formatTime(trialMeanNs)} (${formatChange(percent / 100)})`;
    return [{ row: rows[item]!, phase: analysis.items[item]!.phase, percent, title }];
  });
  const intervals = analysis.items.flatMap(({ interval, phase }, item) =>
    interval === null
      ? []
      : [
          {
            row: rows[item]!,
            phase,
            lower: Math.max(relative(item, interval.lowerNs), -farthestPercent),
            upper: Math.min(relative(item, interval.upperNs), farthestPercent),
          },
        ],
  );
  const measured = analysis.items.flatMap(({ n, phase }, item) =>
    n === 0 ? [] : [{ row: rows[item]!, phase }],
  );
  const speeds = analysis.items.flatMap(({ twoSpeed, phase }, item) =>
    twoSpeed?.isTwoSpeed
      ? [twoSpeed.fastNs, twoSpeed.slowNs].map((ns) => ({
          row: rows[item]!,
          phase,
          percent: Math.min(relative(item, ns), farthestPercent),
        }))
      : [],
  );
  const inside = dots.filter(({ percent }) => percent <= farthestPercent);
  const outside = dots.filter(({ percent }) => percent > farthestPercent);
  // one label a row: more would lie on one another
  const labels = [...Map.groupBy(outside, ({ row, phase }) => `${phase} ${row}`).values()].map(
    (dots) => ({
      ...dots[0]!,
      label:
        dots.length === 1 ? `+${formatWhole(Math.round(dots[0]!.percent))}` : `${dots.length}×`,
    }),
  );
  const extent = [...inside.map(({ percent }) => percent), leastPercent, -leastPercent];
  const high = outside.length > 0 ? farthestPercent : Math.max(...extent);
  const labelled = [...new Set(rows)];

  return {
    description:
      'Dot plot: for every item the mean of each trial, in percent from the item’s median, with the order-statistic interval of the median.',
    caption: html`<b>Every trial${model === null ? '' : ` of ${model}`}.</b> One dot is one process: its mean, in percent from the median of its
      item. The bar is the order-statistic interval of that median${
        intervals.length < measured.length ? ' (where n suffices for one)' : ''
      }, the tick the median itself. Dots far
      to the right are the tail; none was removed.${
        outside.length > 0
          ? ` ${outside.length === 1 ? 'One trial' : `${outside.length} trials`} beyond +${farthestPercent} % ${outside.length === 1 ? 'stands' : 'stand'} at the edge, with the value or, where an item has several, their number.`
          : ''
      }${
        speeds.length > 0
          ? ' Where the dots of an item fall into two groups, red ticks stand at the median of each.'
          : ''
      }`,
    draw(size, width) {
      const place = isApart ? { y: 'row', fy: 'phase' } : { y: 'row' };
      const longest = Math.max(...labelled.map((row) => row.length)) * letterWidth + 12;
      const marginLeft = Math.min(longest, width * widestLabels[size]);
      const ticks = size === 'wide' ? 8 : 3;
      return {
        height: rows.length * rowHeight * 1.06 + 70,
        marginLeft,
        marginRight: 58,
        marginTop: 12,
        marginBottom: 44,
        x: { domain: [Math.min(...extent), high], nice: true, label: null },
        y: { domain: labelled, label: null },
        ...(isApart ? { fy: { domain: phases, label: null, padding: 0.06 } } : {}),
        marks: [
          gridX({ stroke: 'var(--rule)', strokeOpacity: 1, ticks }),
          axisY({
            tickSize: 0,
            label: null,
            lineWidth: (marginLeft - 12) / fontSize,
            textOverflow: 'ellipsis-middle',
          }),
          axisX({
            ticks,
            tickSize: 0,
            label: 'percent from the item’s median',
            labelAnchor: 'center',
            labelArrow: false,
            tickFormat: formatTick,
          }),
          ruleX([0], { stroke: 'var(--muted)', strokeWidth: 0.75 }),
          ruleY(intervals, {
            ...place,
            x1: 'lower',
            x2: 'upper',
            stroke: colourOfPhase,
            strokeOpacity: 0.22,
            strokeWidth: 9,
          }),
          tickX(measured, { ...place, x: 0, stroke: 'var(--ink)', strokeWidth: 1.5, inset: 3 }),
          tickX(speeds, {
            ...place,
            x: 'percent',
            stroke: 'var(--warn)',
            strokeWidth: 1.5,
            inset: 1,
          }),
          dot(inside, {
            ...place,
            x: 'percent',
            r: 2.6,
            fill: colourOfPhase,
            fillOpacity: 0.75,
            title: 'title',
          }),
          dot(outside, {
            ...place,
            x: farthestPercent,
            r: 3.5,
            symbol: 'triangle',
            rotate: 90,
            fill: 'var(--warn)',
            title: 'title',
          }),
          text(labels, {
            ...place,
            x: farthestPercent,
            text: 'label',
            textAnchor: 'start',
            dx: 8,
            fill: 'var(--warn)',
          }),
        ],
      };
    },
  };
}

/** The model of all items, which need not stand in each label; null where there are several. */
function nameOnlyModel(items: readonly ItemAnalysis[]): string | null {
  const models = new Set(
    items.map(({ architecture, quantization }) => toPrintable(`${architecture} ${quantization}`)),
  );
  const [model = null] = models;
  return models.size === 1 && items.length > 1 ? model : null;
}
