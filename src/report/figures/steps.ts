import { axisX, axisY, gridY, line, ruleX } from '@observablehq/plot';
import { isCacheBorder } from '../../analysis/steps-slow.ts';
import { formatCondition } from '../../formats/architecture.ts';
import type { TokenItem } from '../../formats/token-analysis.ts';
import { html } from '../html.ts';
import { chooseTimeUnit } from '../quantities.ts';
import type { Figure } from './draw.ts';

/** How the typical step changes with its place in a repetition; null without a process. */
export function figureOfSteps(item: TokenItem): Figure | null {
  const { profileNs, sequenceLength, n, steps } = item;
  if (profileNs.length === 0) return null;
  const unit = chooseTimeUnit(Math.max(...profileNs));
  const points = profileNs.map((ns, step) => ({ step: step + 1, time: ns / unit.ns }));
  const borders = points
    .map(({ step }) => step)
    .filter((step) => isCacheBorder(sequenceLength, step - 1));
  const most = Math.max(...points.map(({ time }) => time));
  return {
    description: `Line chart: median time of a decode step against its place in a repetition, for ${formatCondition(item)}.`,
    caption: html`<b>Step by step.</b> ${formatCondition(item)}: the median step at each place of a repetition, over
      the kept repetitions of a process and then over the ${n} processes. Vertical lines: steps with
      another 256 tokens in the cache.`,
    draw: (size) => ({
      height: size === 'wide' ? 260 : 220,
      marginLeft: 52,
      marginBottom: 40,
      x: { domain: [0.5, steps + 0.5] },
      y: { domain: [0, most * 1.05] },
      marks: [
        gridY({ stroke: 'var(--rule)', strokeOpacity: 1 }),
        ruleX(borders, { stroke: 'var(--muted)', strokeWidth: 0.75 }),
        axisY({ tickSize: 0, label: `median step in ${unit.name}` }),
        axisX({
          ticks: 6,
          tickSize: 0,
          tickFormat: (tick: number) => (Number.isInteger(tick) ? `${tick}` : ''),
          label: 'step in the repetition',
          labelAnchor: 'center',
          labelArrow: false,
        }),
        line(points, { x: 'step', y: 'time', stroke: 'var(--decode)', strokeWidth: 1.2 }),
      ],
    }),
  };
}
