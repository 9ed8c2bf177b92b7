import { axisX, axisY, dot, gridY, line, link, ruleY } from '@observablehq/plot';
import { formatLimit } from '../../analysis/format-limit.ts';
import type { Analysis } from '../../formats/analysis.ts';
import { formatItem } from '../../formats/architecture.ts';
import { html } from '../html.ts';
import { formatChange, formatTime } from '../quantities.ts';
import { watchesFirstItem } from '../reference-words.ts';
import { colourOfPhase, type Figure, facetsBy, formatTick, placeBy } from './draw.ts';

/** The least half-height of the axis, so that a calm reference looks calm. */
const leastPercent = 1;

/** Beyond this ratio of the slowest to the fastest the axis is logarithmic. */
const widestLinear = 3;

/** The reference, or the first item, over the rounds: whether the machine itself became faster or slower. */
export function figureOfReference(analysis: Analysis): Figure {
  const { items, trials, drift, protocol } = analysis;
  const { edgeRounds, above } = protocol.flags.drift;
  const watched = nameWatched(analysis);
  const percentOf = (item: number, ns: number) => (ns / items[item]!.representativeNs! - 1) * 100;
  const dots = trials.flatMap(({ item, round, trialMeanNs }) => {
    const { isReference, phase } = items[item]!;
    if (!isReference || trialMeanNs === null) return [];
    const percent = percentOf(item, trialMeanNs);
    const title = `round ${round + 1}: ${formatTime(trialMeanNs)} (${formatChange(percent / 100)})`;
    return [{ phase, round: round + 1, percent, title }];
  });
  dots.sort((a, b) => a.round - b.round);
  const evaluated = drift.flatMap((one) => {
    if (one.state !== 'evaluated') return [];
    return [
      { ...one, item: items.findIndex((item) => item.isReference && item.phase === one.phase) },
    ];
  });
  const limits = evaluated.flatMap(({ phase, item, firstMedianNs, threshold }) =>
    [1 - threshold, 1 + threshold].map((factor) => ({
      phase,
      percent: percentOf(item, firstMedianNs * factor),
    })),
  );
  const edges = evaluated.flatMap(({ phase, item, firstMedianNs, lastMedianNs }) => {
    const rounds = dots.filter((one) => one.phase === phase).map(({ round }) => round);
    const edge = (ns: number, from: number, to: number) => ({
      phase,
      percent: percentOf(item, ns),
      from: rounds.at(from)! - 0.4,
      to: rounds.at(to)! + 0.4,
    });
    return [edge(firstMedianNs, 0, edgeRounds - 1), edge(lastMedianNs, -edgeRounds, -1)];
  });
  const percents = [...dots, ...limits].map(({ percent }) => percent);
  const margin = 1.08; // of the axis beyond the outermost dot
  const highest = Math.max(leastPercent, ...percents) * margin;
  const lowest = Math.max(leastPercent, ...percents.map((percent) => -percent)) * margin;
  const factors = percents.map((percent) => 1 + percent / 100);
  const [fastest, slowest] = [Math.min(1, ...factors), Math.max(1, ...factors)];
  const isWide = slowest > widestLinear * fastest;

  return {
    description: `Dot plot: ${watched.item} in every round, in percent from its median, each phase apart.`,
    caption: html`<b>${watched.title} over the rounds.</b> ${watched.what}, in percent
      from its median over all rounds. ${
        edges.length > 0
          ? `The bars are the medians of the first and last ${edgeRounds} rounds. The campaign is marked for review when the second lies beyond the dashed lines, ${formatLimit(above)} from the first; that threshold was not validated.`
          : 'There are too few rounds to judge drift.'
      }${isWide ? ' The axis is logarithmic: equal factors are equally far apart.' : ''}`,
    draw: (size) => ({
      height: size === 'wide' ? 240 : 380,
      marginLeft: 44,
      marginTop: 30,
      marginBottom: 40,
      x: { domain: [0.5, protocol.processesPerItem + 0.5] },
      y: isWide
        ? {
            type: 'log',
            transform: (percent: number) => 1 + percent / 100,
            domain: [fastest / margin, slowest * margin],
          }
        : { domain: [-Math.min(lowest, 100), highest] }, // no time is less than nothing
      ...facetsBy(size, protocol.phases),
      marks: [
        gridY({ stroke: 'var(--rule)', strokeOpacity: 1, ticks: 5 }),
        axisY({
          ticks: 5,
          tickSize: 0,
          label: 'percent from the median',
          tickFormat: (tick: number) =>
            formatTick(isWide ? Number(((tick - 1) * 100).toPrecision(3)) : tick),
        }),
        axisX({
          ticks: Math.min(protocol.processesPerItem, 10),
          tickSize: 0,
          tickFormat: (tick: number) => (Number.isInteger(tick) ? `${tick}` : ''),
          label: 'round',
          labelAnchor: 'center',
          labelArrow: false,
        }),
        ruleY([0], { stroke: 'var(--muted)', strokeWidth: 0.75 }),
        ruleY(limits, {
          ...placeBy(size),
          y: 'percent',
          stroke: 'var(--muted)',
          strokeDasharray: '3,3',
        }),
        link(edges, {
          ...placeBy(size),
          x1: 'from',
          x2: 'to',
          y1: 'percent',
          y2: 'percent',
          stroke: colourOfPhase,
          strokeOpacity: 0.35,
          strokeWidth: 6,
        }),
        line(dots, {
          ...placeBy(size),
          x: 'round',
          y: 'percent',
          z: 'phase',
          stroke: colourOfPhase,
          strokeWidth: 1,
          strokeOpacity: 0.6,
        }),
        dot(dots, {
          ...placeBy(size),
          x: 'round',
          y: 'percent',
          r: 3,
          fill: colourOfPhase,
          title: 'title',
        }),
      ],
    }),
  };
}

/** What is looked at for drift, in the words of the figure. */
function nameWatched(analysis: Analysis) {
  if (!watchesFirstItem(analysis)) {
    return {
      title: 'The reference',
      item: 'the reference item',
      what: 'The same item measured in every round',
    };
  }
  const names = analysis.items.filter(({ isReference }) => isReference).map(formatItem);
  const list = names.join('; ');
  return {
    title: 'The first item',
    item: `the first item of each phase (${list})`,
    what: `The plan’s first item of each phase (${list}), measured in every round and looked at for drift, since the protocol has no reference of its own`,
  };
}
