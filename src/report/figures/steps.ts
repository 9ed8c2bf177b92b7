import { areaY, axisX, axisY, dot, gridY, line, ruleX } from '@observablehq/plot';
import type { StepBand } from '../../analysis/steps-band.ts';
import { isCacheBorder } from '../../analysis/steps-slow.ts';
import { formatCondition } from '../../formats/architecture.ts';
import type { TokenItem } from '../../formats/token-analysis.ts';
import { formatCount, formatWhole } from '../../units.ts';
import { html } from '../html.ts';
import { chooseTimeUnit, formatShare, formatTime } from '../quantities.ts';
import type { Figure } from './draw.ts';

/** Beyond this ratio of the slowest to the fastest the axis is logarithmic. */
const widestLinear = 3;
/** Further ones would hide one another, and the page would grow by them. */
const mostMarked = 300;

/**
 * The time of each decode step along the sequence: the median over processes with its band, and the
 * slow steps one by one. null without a process.
 */
export function figureOfSteps(item: TokenItem, band: StepBand): Figure | null {
  const { profileNs, sequenceLength, n, steps, slow } = item;
  if (profileNs.length === 0) return null;
  const unit = chooseTimeUnit(Math.max(...profileNs));
  const points = profileNs.map((ns, step) => ({
    step: step + 1,
    time: ns / unit.ns,
    lower: band.lowerNs[step]! / unit.ns,
    upper: band.upperNs[step]! / unit.ns,
  }));
  const marked = (slow?.listed ?? []).slice(0, mostMarked).map((one) => ({
    step: one.step + 1,
    time: one.stepNs / unit.ns,
    title: `step ${one.step + 1} of repetition ${one.repetition + 1} in trial ${one.trial + 1}: ${formatTime(one.stepNs)}`,
  }));
  const borders = points
    .map(({ step }) => step)
    .filter((step) => isCacheBorder(sequenceLength, step - 1));
  const fastest = Math.min(...points.map(({ lower }) => lower));
  const slowest = Math.max(...points.map(({ upper }) => upper), ...marked.map(({ time }) => time));
  const isWide = fastest > 0 && slowest > widestLinear * fastest;
  const margin = 1.08; // of the axis beyond the outermost time
  const condition = formatCondition(item);
  const processes = n === 1 ? '1 process' : `${formatWhole(n)} processes`;
  return {
    description: `Line chart: time of each decode step against its place in a repetition, for ${condition}: the median over ${processes} from ${formatTime(Math.min(...profileNs))} to ${formatTime(Math.max(...profileNs))}, with its band; ${describeMarked(item, marked.length)}.`,
    caption: html`<b>Step by step: ${condition}.</b> The median step at each place of a repetition, over
      the kept repetitions of a process and then over the ${processes}. ${describeBand(band, n)}${
        marked.length > 0
          ? ` Dots: steps above ${slow!.timesMedian} median steps of their process; ${describeMarked(item, marked.length)}, ${formatShare(slow!.shareOfTime)} of the decode time.`
          : ` No step took more than ${slow?.timesMedian} median steps of its process.`
      }${borders.length > 0 ? ' Vertical lines: steps with another 256 tokens in the cache.' : ''}${isWide ? ' The axis is logarithmic: equal factors are equally far apart.' : ''}`,
    draw: (size) => ({
      height: size === 'wide' ? 260 : 220,
      marginLeft: 52,
      marginTop: 26,
      marginBottom: 40,
      x: { domain: [0.5, steps + 0.5] },
      y: isWide
        ? { type: 'log', domain: [fastest / margin, slowest * margin] }
        : { domain: [0, slowest * margin] },
      marks: [
        gridY({ stroke: 'var(--rule)', strokeOpacity: 1, ticks: 5 }),
        ruleX(borders, { stroke: 'var(--muted)', strokeWidth: 0.75 }),
        axisY({
          ticks: 5,
          tickSize: 0,
          label: `time of a step in ${unit.name}`,
          tickFormat: (tick: number) => `${Number(tick.toPrecision(3))}`,
        }),
        axisX({
          ticks: 6,
          tickSize: 0,
          tickFormat: (tick: number) => (Number.isInteger(tick) ? `${tick}` : ''),
          label: 'step in the repetition',
          labelAnchor: 'center',
          labelArrow: false,
        }),
        areaY(points, {
          x: 'step',
          y1: 'lower',
          y2: 'upper',
          fill: 'var(--decode)',
          fillOpacity: 0.22,
        }),
        line(points, { x: 'step', y: 'time', stroke: 'var(--decode)', strokeWidth: 1.2 }),
        dot(marked, {
          x: 'step',
          y: 'time',
          r: 2.2,
          fill: 'var(--warn)',
          fillOpacity: 0.55,
          title: 'title',
        }),
      ],
    }),
  };
}

function describeBand({ coverage }: StepBand, n: number): string {
  if (n === 1) return 'One process has no band.';
  return coverage === null
    ? `Shaded: from the fastest to the slowest process at each place; an interval takes more processes than ${n}.`
    : `Shaded: the interval of that median, which covers ${formatShare(coverage)} at each place by itself, not at all places at once.`;
}

function describeMarked({ slow }: TokenItem, marked: number): string {
  const count = slow?.count ?? 0;
  if (count === 0) return 'no slow step';
  const words = formatCount(count, 'slow step');
  return marked < count
    ? `the ${formatWhole(marked)} longest of ${words} are marked`
    : `${words} marked`;
}
