import { formatCondition } from '../formats/architecture.ts';
import type { RatioAcross, TimeAcross, TokenItem } from '../formats/token-analysis.ts';
import { formatCount, formatWhole } from '../units.ts';
import { absent } from './item-row.ts';
import { chooseTimeUnit, formatIn, formatPercent, formatRate, formatTime } from './quantities.ts';
import {
  formatBlock,
  formatColumns,
  formatPoint,
  formatSentence,
  type Terminal,
} from './terminal.ts';

interface Row {
  name: string;
  median: string;
  interval: string;
  distance: string;
  beyond: string;
}

/** One item: a table of its statistics, what the clock costs, and what is not given. */
export function formatTokenItem(item: TokenItem, terminal: Terminal): string[] {
  const { n, failed, steps, stepsPerProcess } = item;
  const kept = stepsPerProcess / steps;
  const processes = `${formatWhole(n)} ${n === 1 ? 'process' : 'processes'}${failed === 0 ? '' : ` and ${failed} failed`}`;
  const title = `${formatCondition(item)}: ${processes}, ${formatCount(stepsPerProcess, 'step')} in each (${kept} x ${steps})`;
  const notGiven = listReasons(item).flatMap((reason) => formatPoint(terminal, reason));
  const lines =
    n === 0
      ? notGiven
      : [
          ...formatRows(item, terminal),
          ...[...describeClock(item), describeProfile(item)].flatMap((sentence) =>
            formatSentence(terminal, sentence),
          ),
          ...notGiven,
        ];
  return formatBlock(terminal, title, lines);
}

function formatRows(item: TokenItem, terminal: Terminal): string[] {
  const rows = listRows(item);
  const coverage = item.medianStep?.interval?.coverage;
  const covers = coverage === undefined ? '' : ` (covers ${(coverage * 100).toFixed(1)} %)`;
  const column = (heading: string, cellOf: (row: Row) => string) => ({
    heading,
    align: 'right' as const,
    cells: rows.map(cellOf),
  });
  return formatColumns(
    terminal,
    { heading: 'of each process', align: 'left', cells: rows.map(({ name }) => name) },
    [
      [column('median', ({ median }) => median)],
      [
        column(`interval${covers}`, ({ interval }) => interval),
        column('±interval', ({ distance }) => distance),
      ],
      [column('beyond', ({ beyond }) => beyond)],
    ],
  );
}

function listRows(item: TokenItem): Row[] {
  const { beyond, growth, sequenceLength, steps } = item;
  /** A percentile with no step beyond it is the slowest step again. */
  const percentile = (name: string, time: typeof item.p90, many: number) =>
    describeTime(name, many === 0 ? null : time, many === 0 ? null : many);
  const rows = [
    describeTime('mean step', item.meanStep),
    describeTime('median step', item.medianStep),
    percentile('p90', item.p90, beyond.p90),
    percentile('p99', item.p99, beyond.p99),
    percentile('p99.9', item.p999, beyond.p999),
    describeTime('slowest step', item.slowestStep, 0),
  ];
  if (growth !== null) {
    const { steps: many, first, last, lastOverFirst } = growth;
    rows.push(describeTime(`median of ${nameSteps(1, many)}`, first));
    rows.push(describeTime(`median of ${nameSteps(steps - many + 1, steps)}`, last));
    rows.push(describeRatio('last over first', lastOverFirst));
  }
  if (sequenceLength > 0) {
    rows.push(describeTime(`prefill (${formatCount(sequenceLength, 'token')})`, item.prefill));
    rows.push(describeTime('first token', item.firstToken));
    rows.push(describeTime('first token, with load', item.firstTokenWithLoad));
    rows.push(describeTime('first token, fresh process', item.ownFirstToken));
  }
  return rows;
}

const nameSteps = (from: number, to: number) =>
  from === to ? `step ${from}` : `steps ${from}–${to}`;

function describeTime(name: string, time: TimeAcross | null, beyond: number | null = null): Row {
  const rest = {
    name,
    distance: percent(time?.endpointDistance),
    beyond: beyond === null ? '' : formatWhole(beyond),
  };
  if (time === null) return { ...rest, median: absent, interval: absent };
  const unit = chooseTimeUnit(time.medianNs);
  const interval = time.interval
    ? `${formatIn(unit, time.interval.lowerNs)}–${formatIn(unit, time.interval.upperNs)} ${unit.name}`
    : absent;
  return { ...rest, median: `${formatIn(unit, time.medianNs)} ${unit.name}`, interval };
}

function describeRatio(name: string, ratio: RatioAcross | null): Row {
  const interval = ratio?.interval;
  return {
    name,
    median: ratio === null ? absent : ratio.median.toFixed(4),
    interval: interval ? `${interval.lower.toFixed(4)}–${interval.upper.toFixed(4)}` : absent,
    distance: percent(ratio?.endpointDistance),
    beyond: '',
  };
}

const percent = (fraction: number | null | undefined) =>
  fraction == null ? absent : formatPercent(fraction);

function describeClock({ clock, tokensPerSecond }: TokenItem): string[] {
  const rate =
    tokensPerSecond === null ? '' : `${formatRate(tokensPerSecond)} tokens/s by the mean step. `;
  if (clock === null) return rate === '' ? [] : [rate.trimEnd()];
  const share =
    clock.shareOfMedianStep === null
      ? ''
      : `, ${formatClockShare(clock.shareOfMedianStep)} of a median step`;
  return [`${rate}One reading of the clock: ${formatTime(clock.readingNs)}${share}.`];
}

/** Where in a repetition the typical step takes least and most. */
function describeProfile({ profileNs }: TokenItem): string {
  const [least, most] = [Math.min(...profileNs), Math.max(...profileNs)];
  const at = (ns: number) => `${formatTime(ns)} at step ${profileNs.indexOf(ns) + 1}`;
  return `Place by place the median step takes from ${at(least)} to ${at(most)}.`;
}

/** A small share is not shown as none. */
const formatClockShare = (share: number) =>
  share > 0 && share < 0.00005 ? '<0.01 %' : formatPercent(share);

const nameOfField: Readonly<Record<string, string>> = {
  p999: 'p99.9',
  growth: 'growth with position',
  firstToken: 'first token',
  firstTokenWithLoad: 'first token, with load',
  ownFirstToken: 'first token, fresh process',
  interval: 'intervals',
};

const percentiles = { p90: { share: '90 %', fewest: 10 }, p99: { share: '99 %', fewest: 100 } };

/** What is not given, each reason once. */
function listReasons({ missing, n, beyond, stepsPerProcess }: TokenItem): string[] {
  if (n === 0) return [missing[0]?.reason ?? 'nothing was observed'];
  const fieldsOf = Map.groupBy(missing, ({ reason }) => reason);
  const leaveNone = (['p90', 'p99'] as const)
    .filter((name) => beyond[name] === 0)
    .map((name) => {
      const { share, fewest } = percentiles[name];
      return `not given: ${name} (the ${stepsPerProcess} kept steps of a process leave none beyond its ${share} rank, so it would be the slowest step again; it takes ${fewest})`;
    });
  return [
    ...leaveNone,
    ...[...fieldsOf].map(
      ([reason, fields]) =>
        `not given: ${fields.map(({ field }) => nameOfField[field] ?? field).join('; ')} (${reason})`,
    ),
  ];
}
