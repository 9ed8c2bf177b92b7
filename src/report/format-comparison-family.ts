import { formatLimit } from '../analysis/format-limit.ts';
import { findWithheld } from '../analysis/withheld.ts';
import type { Item } from '../formats/architecture.ts';
import type { ComparedArm, ComparedPair, ItemsComparison } from '../formats/comparison.ts';
import { toPrintable } from '../printable.ts';
import { liesAbove, liesBelow } from '../stats/beside-limit.ts';
import { formatCount } from '../units.ts';
import { describeArm, formatCoverage, formatPCell } from './format-comparison-cells.ts';
import { describeDeclaredFamily } from './format-comparison-declared.ts';
import { formatDisturbances } from './format-comparison-disturbances.ts';
import { formatRatio, formatRatioInterval } from './format-comparison-ratio.ts';
import { absent } from './item-row.ts';
import { formatTime } from './quantities.ts';
import { formatColumns, formatLegend, type Terminal } from './terminal.ts';
import { type Column, wrapText } from './text-layout.ts';

/** Several pairs as one family, one line each. */
export function formatFamily(comparison: ItemsComparison, terminal: Terminal): string[] {
  const { campaign, selectors, pairs, family, margin, equivalence, differIn } = comparison;
  const { width, paint } = terminal;
  const judged = pairs.filter((pair) => findWithheld(pair) === null);
  const isJudged = judged.length > 0;
  const head = [
    ...(isJudged ? [countVerdicts(judged, equivalence)] : []),
    ...(judged.length < pairs.length ? [tellWithheld(pairs.length - judged.length)] : []),
  ].join(' ');
  const correction = `One family of ${family.size}: intervals at ${formatCoverage(family.intervalLevel)} or more each, so that all hold together at ${formatLimit(family.jointLevel)} or more, and p of (g) times ${family.size} (both Bonferroni).${isJudged ? ` The interval decides. Differences below ${formatLimit(margin)} are not called.` : ''}`;
  const declared = describeDeclaredFamily(comparison);
  const warn = (words: string | null) =>
    words === null ? [] : wrapText(words, width).map((line) => paint('yellow', line));
  return [
    ...wrapText(toPrintable(`${campaign}: A ${selectors.a}, B ${selectors.b}`), width),
    ...(declared === null ? [] : wrapText(declared, width).map((line) => paint('bold', line))),
    ...wrapText(head, width).map((line) => paint('bold', line)),
    ...formatDisturbances(comparison, terminal),
    ...warn(describeOneSided(pairs, margin)),
    ...warn(describeDoubt(pairs, differIn)),
    ...wrapText(correction, width),
    '',
    ...formatPairs(pairs, differIn, terminal),
    '',
    ...formatLegend(terminal, explainColumns(isJudged)),
  ];
}

function countVerdicts(judged: readonly ComparedPair[], equivalence: number | null): string {
  const count = (verdict: ComparedPair['verdict']) =>
    judged.filter((pair) => pair.verdict === verdict).length;
  const equivalent = equivalence === null ? '' : `, ${count('equivalent')} equivalent`;
  return `B is slower in ${count('slower')} of ${formatCount(judged.length, 'comparison')}, faster in ${count('faster')}${equivalent}; ${count('inconclusive')} inconclusive.`;
}

function tellWithheld(count: number): string {
  return `${formatCount(count, 'verdict')} withheld: the campaign may stop by its own rule, so that its own decisions count.`;
}

/** Inconclusive pairs whose direction is shown all the same. */
function describeOneSided(pairs: readonly ComparedPair[], margin: number): string | null {
  const sided = pairs.filter((pair) => {
    const interval = pair.decision?.interval;
    if (pair.verdict !== 'inconclusive' || !interval || findWithheld(pair) !== null) return false;
    return liesAbove(interval, 1) || liesBelow(interval, 1);
  });
  if (sided.length === 0) return null;
  const slower = sided.filter(({ decision }) => liesAbove(decision!.interval!, 1)).length;
  const words = [
    ...(slower > 0 ? [`slower in ${slower}`] : []),
    ...(slower < sided.length ? [`faster in ${sided.length - slower}`] : []),
  ];
  return `Of the inconclusive, B is ${words.join(' and ')}, but perhaps by less than ${formatLimit(margin)} (the margin).`;
}

/** Pairs in which the intervals of the methods do not tell the same. */
function describeDoubt(
  pairs: readonly ComparedPair[],
  differIn: ItemsComparison['differIn'],
): string | null {
  const doubtful = pairs.filter(({ methodsAgree }) => methodsAgree === false);
  if (doubtful.length === 0) return null;
  const names = doubtful.slice(0, mostNamed).map((pair) => formatShared(pair.a, differIn));
  const rest = doubtful.length > mostNamed ? ` and ${doubtful.length - mostNamed} more` : '';
  const decides = doubtful.every((pair) => findWithheld(pair) === null) ? '; (g) decides' : '';
  return `The methods do not agree in ${doubtful.length} of ${formatCount(pairs.length, 'comparison')} (${names.join('; ')}${rest})${decides}.`;
}

/** How many pairs a line names. */
const mostNamed = 6;

const explainColumns = (isJudged: boolean) =>
  'n: pairs, the rounds in which both have a valid trial (of so many begun). time: median of the trial means. B/A: median of ' +
  'the paired ratios; medians: ratio of the times. (g): interval of the randomisation test' +
  `${isJudged ? ', which decides' : ''}; ` +
  'p: of that test, times the number of comparisons; from: other ' +
  'items whose medians gave the round effects, or raw. (f): order statistics of the paired ratios, its actual coverage and ' +
  'ranks. (c): Hodges-Lehmann and Mann-Whitney, unpaired. sign: sign test, not corrected. order: sign test of the item measured later ' +
  'against the earlier one, not corrected. agree: all three intervals on one side of 1, or all holding it.';

function formatPairs(
  pairs: readonly ComparedPair[],
  differIn: ItemsComparison['differIn'],
  terminal: Terminal,
): string[] {
  const column = (
    heading: string,
    cell: (pair: ComparedPair) => string,
    align: Column['align'] = 'right',
  ): Column => ({ heading, align, cells: pairs.map(cell) });
  const armTime = ({ representativeNs }: ComparedArm) =>
    representativeNs === null ? absent : formatTime(representativeNs);
  const armInterval = (arm: ComparedArm) => describeArm(arm).interval;
  const verdict: Column = {
    ...column(
      'verdict',
      (pair) => (findWithheld(pair) === null ? pair.verdict : 'withheld'),
      'left',
    ),
    paint: (text) =>
      text === 'inconclusive' || text === 'withheld'
        ? terminal.paint('yellow', text)
        : terminal.paint('bold', text),
  };
  return formatColumns(
    terminal,
    column('pair', (pair) => formatShared(pair.a, differIn), 'left'),
    [
      [
        column('n', ({ pairs: n, rounds }) => (n === rounds ? `${n}` : `${n} of ${rounds}`)),
        column('time A', ({ a }) => armTime(a)),
        column('time B', ({ b }) => armTime(b)),
        column('B/A', ({ medianPairedRatio }) => formatRatio(medianPairedRatio)),
      ],
      [
        column('(g)', ({ decision }) => formatRatioInterval(decision?.interval)),
        column('p', ({ decision }) => formatPCell(decision?.bonferroniPValue)),
        verdict,
      ],
      [
        column('interval A', ({ a }) => armInterval(a)),
        column('interval B', ({ b }) => armInterval(b)),
        column('medians', ({ ratioOfMedians }) => formatRatio(ratioOfMedians)),
      ],
      [
        column('from', ({ decision }) => describeSource(decision)),
        column('(f)', ({ pairedInterval }) => formatRatioInterval(pairedInterval)),
        column('covers', ({ pairedInterval: f }) => (f ? formatCoverage(f.coverage) : absent)),
        column('ranks', ({ pairedInterval: f }) => (f ? f.ranks.join(', ') : absent)),
      ],
      [
        column('(c)', ({ unpaired }) => formatRatio(unpaired?.hodgesLehmann ?? null)),
        column('interval', ({ unpaired }) => formatRatioInterval(unpaired?.interval)),
        column('sign', ({ signTest }) => formatPCell(signTest?.pValue)),
        column('order', ({ orderEffect }) => formatPCell(orderEffect?.pValue)),
        column('agree', ({ methodsAgree }) =>
          methodsAgree === null ? absent : methodsAgree ? 'yes' : 'no',
        ),
      ],
    ],
  );
}

function describeSource(decision: ComparedPair['decision']): string {
  if (decision === null) return absent;
  const { roundEffects } = decision;
  return roundEffects.state === 'removed' ? `${roundEffects.otherArms}` : 'raw';
}

/** An item's name without the keys in which A and B differ: `mid S512 decode`. */
function formatShared(item: Item, differIn: ItemsComparison['differIn']): string {
  const words: Record<keyof Item, string> = {
    architecture: item.architecture,
    quantization: item.quantization,
    sequenceLength: `S${item.sequenceLength}`,
    depth: item.depth === undefined ? '' : `after ${item.depth}`,
    decodeSteps: item.decodeSteps === undefined ? '' : `${item.decodeSteps} steps`,
    variant: item.variant === undefined ? '' : `[${item.variant}]`,
    phase: item.phase,
  };
  return (Object.keys(words) as (keyof Item)[])
    .filter((key) => !differIn.includes(key) && words[key] !== '')
    .map((key) => words[key])
    .join(' ');
}
