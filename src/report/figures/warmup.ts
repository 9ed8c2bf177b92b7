import { areaY, axisX, axisY, gridY, line, rectX, ruleY } from '@observablehq/plot';
import type { Analysis } from '../../formats/analysis.ts';
import { html } from '../html.ts';
import { colourOfPhase, type Figure, facetsBy, placeBy } from './draw.ts';

/** How the repetitions of a process come into their steady state. */
export function figureOfWarmup(analysis: Analysis): Figure {
  const { items, protocol, warmup } = analysis;
  const { warmup: warmupCount, kept } = protocol.repetitions;
  const measured = warmup.filter(({ n }) => n > 0);
  const medians = measured.flatMap(({ item, median }) =>
    median.map((ratio, index) => ({ item, phase: items[item]!.phase, at: index + 1, ratio })),
  );
  const extremes = protocol.phases.flatMap((phase) => {
    const ofPhase = measured.filter(({ item }) => items[item]!.phase === phase);
    if (ofPhase.length === 0) return [];
    return Array.from({ length: warmupCount + kept }, (_, index) => ({
      phase,
      at: index + 1,
      low: Math.min(...ofPhase.map(({ minimum }) => minimum[index]!)),
      high: Math.max(...ofPhase.map(({ maximum }) => maximum[index]!)),
    }));
  });

  const least = Math.min(...extremes.map(({ low }) => low));
  const most = Math.max(...extremes.map(({ high }) => high));
  const ticks = listTicks(least, most);

  return {
    description:
      'Line chart: each repetition of a process divided by the median of the kept ones of the same process; a line for every item, a band for the extremes of all trials.',
    caption: html`<b>Into the steady state.</b> Each repetition over the median of the kept ones of the same
      process, on a logarithmic axis. A line is the median over the trials of one item; the pale band
      reaches from the least to the greatest of all trials. Shaded on the right: the kept
      repetitions, fixed by the protocol before anything was measured.`,
    draw: (size) => ({
      height: size === 'wide' ? 280 : 440,
      marginLeft: 44,
      marginTop: 30,
      marginBottom: 40,
      x: { domain: [0.5, warmupCount + kept + 0.5] },
      y: { type: 'log', domain: [Math.min(least, ticks[0]!), Math.max(most, ticks.at(-1)!)] },
      ...facetsBy(size, protocol.phases),
      marks: [
        rectX([warmupCount + 0.5], {
          x1: (from: number) => from,
          x2: warmupCount + kept + 0.5,
          fill: 'var(--shade)',
        }),
        gridY({ stroke: 'var(--rule)', strokeOpacity: 1, ticks }),
        axisY({
          ticks,
          tickSize: 0,
          label: 'times the kept median',
          tickFormat: (tick: number) => `${tick}×`,
        }),
        axisX({
          ticks: 6,
          tickSize: 0,
          tickFormat: (tick: number) => (Number.isInteger(tick) ? `${tick}` : ''),
          label: 'repetition in the process',
          labelAnchor: 'center',
          labelArrow: false,
        }),
        ruleY([1], { stroke: 'var(--muted)', strokeWidth: 0.75 }),
        areaY(extremes, {
          ...placeBy(size),
          x: 'at',
          y1: 'low',
          y2: 'high',
          z: 'phase',
          fill: colourOfPhase,
          fillOpacity: 0.13,
        }),
        line(medians, {
          ...placeBy(size),
          x: 'at',
          y: 'ratio',
          z: 'item',
          stroke: colourOfPhase,
          strokeWidth: 1.2,
          strokeOpacity: 0.65,
        }),
      ],
    }),
  };
}

/** 1, 2 and 5 times the powers of ten, from below the least to above the most that 1 lies between. */
function listTicks(least: number, most: number): number[] {
  const steps = [-2, -1, 0, 1, 2, 3].flatMap((power) =>
    [1, 2, 5].map((digit) => Number((digit * 10 ** power).toPrecision(1))),
  );
  const from = steps.findLastIndex((step) => step <= least);
  const to = steps.findIndex((step) => step >= most);
  return steps.slice(Math.max(0, from), to < 0 ? undefined : to + 1);
}
