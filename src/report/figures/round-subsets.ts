import { axisX, axisY, gridY, rectY, ruleX, ruleY } from '@observablehq/plot';
import type { RoundSubsetsAnalysis } from '../../formats/analysis.ts';
import { formatCount } from '../../units.ts';
import { html } from '../html.ts';
import type { Figure } from './draw.ts';

type Evaluated = Extract<RoundSubsetsAnalysis, { state: 'evaluated' }>;

/** How many items would carry the stable flag if only some of the rounds had been measured. */
export function figureOfSubsets(subsets: Evaluated, itemCount: number): Figure {
  const { size, rounds, histogram, mean } = subsets;
  const bars = histogram.map((count, flags) => ({
    from: flags - 0.5,
    to: flags + 0.5,
    count,
    title: `${formatCount(flags, 'stable item')}: ${formatCount(count, 'subset')}`,
  }));
  return {
    description: `Histogram: subsets of ${size} rounds by the number of items that carry the stable flag in them.`,
    caption: html`<b>Which rounds one looks at.</b> Subsets of ${size} of the ${rounds} rounds by the number of items, of
      ${itemCount}, that carry the stable flag in them. The line is the mean over the subsets. They share trials, so
      the histogram shows how much a small campaign depends on its luck, not how a new one would come out.`,
    draw: (size) => ({
      height: 200,
      marginLeft: 44,
      marginTop: 24,
      marginBottom: 40,
      x: { domain: [-0.5, itemCount + 0.5] },
      marks: [
        gridY({ stroke: 'var(--rule)', strokeOpacity: 1, ticks: 4 }),
        axisY({ ticks: 4, tickSize: 0, label: 'subsets' }),
        axisX({
          ticks: size === 'wide' ? Math.min(itemCount, 24) : 6,
          tickSize: 0,
          tickFormat: (tick: number) => (Number.isInteger(tick) ? `${tick}` : ''),
          label: 'items with the stable flag',
          labelAnchor: 'center',
          labelArrow: false,
        }),
        rectY(bars, {
          x1: 'from',
          x2: 'to',
          y: 'count',
          fill: 'var(--muted)',
          inset: 0.5,
          title: 'title',
        }),
        ruleX([mean], { stroke: 'var(--ink)', strokeDasharray: '3,3' }),
        ruleY([0], { stroke: 'var(--muted)', strokeWidth: 0.75 }),
      ],
    }),
  };
}
