import { axisX, barX } from '@observablehq/plot';
import type { Analysis } from '../../formats/analysis.ts';
import { formatDuration } from '../../units.ts';
import { costWords } from '../cost-words.ts';
import { html } from '../html.ts';
import type { Figure } from './draw.ts';

/** Where the hardware's time went, as one bar. Its table is the legend. */
export function figureOfCost({ cost }: Analysis): Figure {
  const parts = cost.parts
    .filter(({ ns }) => ns > 0)
    .map(({ part, ns, share }) => ({
      percent: share * 100,
      colour: `var(--cost-${part})`,
      title: `${costWords[part]}: ${formatDuration(ns)}, ${(share * 100).toFixed(1)} %`,
    }));
  return {
    description: 'Stacked bar: shares of the hardware time; the table beside it has the numbers.',
    caption: html`<b>Where the hardware time went</b>, failures and warm-up included.`,
    draw: () => ({
      height: 78,
      marginLeft: 12,
      marginRight: 12,
      marginTop: 4,
      marginBottom: 38,
      x: { domain: [0, 100] },
      marks: [
        barX(parts, {
          x: 'percent',
          fill: (part: (typeof parts)[number]) => part.colour,
          inset: 0.5,
          title: 'title',
        }),
        axisX({
          ticks: 5,
          tickSize: 0,
          label: 'percent of the hardware time',
          labelAnchor: 'center',
          labelArrow: false,
        }),
      ],
    }),
  };
}
