import { formatLimit } from '../analysis/format-limit.ts';
import { findWithheld } from '../analysis/withheld.ts';
import { formatItem } from '../formats/architecture.ts';
import type { ComparedPair, ItemsComparison } from '../formats/comparison.ts';
import { formatCount } from '../units.ts';
import { describeArm, formatCoverage, formatPCell } from './format-comparison-cells.ts';
import { describeDeclared } from './format-comparison-declared.ts';
import { formatDisturbances } from './format-comparison-disturbances.ts';
import {
  describeAgreement,
  describeOrderEffect,
  describeRoundEffects,
  describeVerdict,
  formatRatio,
  formatRatioInterval,
} from './format-comparison-ratio.ts';
import { absent } from './item-row.ts';
import { formatColumns, type Paint, type Terminal } from './terminal.ts';
import { type Column, wrapText } from './text-layout.ts';

/** One pair in full: the verdict, both times, every method beside the one that decides. */
export function formatPair(
  comparison: ItemsComparison,
  pair: ComparedPair,
  terminal: Terminal,
): string[] {
  const { width, paint } = terminal;
  const { campaign, margin, equivalence } = comparison;
  const verdict = wrapText(describeVerdict(pair, comparison), width);
  const isJudged = findWithheld(pair) === null;
  const limits =
    `Differences below ${formatLimit(margin)} are not called` +
    `${equivalence === null ? '' : `; equivalent is within ${formatLimit(equivalence)}`}.`;
  const declared = describeDeclared(pair, comparison);
  const doubt = pair.methodsAgree === false ? describeAgreement(pair) : null;
  const sentences = [
    doubt === null ? describeAgreement(pair) : null,
    describeRoundEffects(pair),
    describeOrderEffect(pair),
  ];
  return [
    ...wrapText(`${campaign}: A ${formatItem(pair.a)}, B ${formatItem(pair.b)}`, width),
    ...(declared === null ? [] : wrapText(declared, width).map((line) => paint('bold', line))),
    ...verdict.map((line) => paint('bold', paintVerdict(pair.verdict, line, paint))),
    ...formatDisturbances(comparison, terminal),
    ...(doubt === null ? [] : wrapText(doubt, width).map((line) => paint('yellow', line))),
    ...(isJudged ? wrapText(limits, width) : []),
    '',
    ...formatArms(pair, terminal),
    '',
    ...formatMethods(pair, comparison, terminal),
    '',
    ...sentences.flatMap((sentence) => (sentence === null ? [] : wrapText(sentence, width))),
    ...wrapText(describePairs(pair), width),
  ];
}

function paintVerdict(verdict: ComparedPair['verdict'], text: string, paint: Paint): string {
  return verdict === 'inconclusive' ? paint('yellow', text) : text;
}

function describePairs({ pairs, rounds, lackingA, lackingB, leftOut }: ComparedPair): string {
  const said = [
    ...(leftOut === undefined ? [] : [`${leftOut} were left out, since decided`]),
    ...(lackingA + lackingB === 0
      ? []
      : [`${lackingA} lack a valid trial of A and ${lackingB} one of B`]),
  ];
  const others =
    said.length === 0 ? '' : ` Of ${formatCount(rounds, 'round')}, ${said.join('; ')}.`;
  return `${formatCount(pairs, 'pair')}: rounds in which both have a valid trial.${others}`;
}

function formatArms({ a, b }: ComparedPair, terminal: Terminal): string[] {
  const arms = [a, b].map(describeArm);
  const column = (heading: string, cells: string[]): Column => ({ heading, align: 'right', cells });
  return formatColumns(
    terminal,
    { heading: '', align: 'left', cells: [`A  ${formatItem(a)}`, `B  ${formatItem(b)}`] },
    [
      [
        column(
          'n',
          arms.map(({ n }) => n),
        ),
        column(
          'time',
          arms.map(({ time }) => time),
        ),
        column(
          'interval',
          arms.map(({ interval }) => interval),
        ),
        column(
          'covers',
          arms.map(({ covers }) => covers),
        ),
      ],
    ],
  );
}

/** The methods below one another, each with its estimate of B / A. */
function formatMethods(
  pair: ComparedPair,
  { family }: ItemsComparison,
  terminal: Terminal,
): string[] {
  const { decision, pairedInterval, unpaired, signTest, medianPairedRatio, ratioOfMedians } = pair;
  const rows = [
    {
      name: `(g) randomisation test${findWithheld(pair) === null ? '; decides' : ''}`,
      estimate: formatRatio(medianPairedRatio),
      interval: formatRatioInterval(decision?.interval),
      covers: decision?.interval ? `≥ ${formatCoverage(family.intervalLevel)}` : absent,
      p: formatPCell(decision?.pValue),
      detail: decision
        ? `S = ${decision.statistic}${decision.method === 'normal' ? ', normal approximation' : ''}`
        : '',
    },
    {
      name: '(f) order statistics of the pairs',
      estimate: formatRatio(medianPairedRatio),
      interval: formatRatioInterval(pairedInterval),
      covers: pairedInterval ? formatCoverage(pairedInterval.coverage) : absent,
      p: '',
      detail: pairedInterval ? `ranks ${pairedInterval.ranks.join(' and ')} of ${pair.pairs}` : '',
    },
    {
      name: '(c) Mann-Whitney, unpaired',
      estimate: formatRatio(unpaired?.hodgesLehmann ?? null),
      interval: formatRatioInterval(unpaired?.interval),
      covers: unpaired?.interval ? formatCoverage(unpaired.interval.coverage) : absent,
      p: formatPCell(unpaired?.pValue),
      detail: unpaired
        ? `U = ${unpaired.u}${unpaired.interval ? `, k = ${unpaired.interval.k} of ${unpaired.interval.differences}` : ''}`
        : '',
    },
    {
      name: 'sign test',
      estimate: '',
      interval: '',
      covers: '',
      p: formatPCell(signTest?.pValue),
      detail: signTest
        ? `B slower in ${signTest.slower}, faster in ${signTest.faster}${signTest.ties === 0 ? '' : `, equal in ${signTest.ties}`}`
        : '',
    },
    {
      name: 'ratio of the medians',
      estimate: formatRatio(ratioOfMedians),
      interval: '',
      covers: '',
      p: '',
      detail: '',
    },
  ];
  const column = (heading: string, field: keyof (typeof rows)[number], align: Column['align']) => ({
    heading,
    align,
    cells: rows.map((row) => row[field]),
  });
  return formatColumns(terminal, column('ratio B / A', 'name', 'left'), [
    [
      column('estimate', 'estimate', 'right'),
      column('interval', 'interval', 'right'),
      column('covers', 'covers', 'right'),
      column('p', 'p', 'right'),
    ],
    [column('', 'detail', 'left')],
  ]);
}
