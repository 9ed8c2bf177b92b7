import { formatLimit } from '../analysis/format-limit.ts';
import type { Item } from '../formats/architecture.ts';
import type { ComparedArm, ComparedPair, ItemsComparison } from '../formats/comparison.ts';
import { toPrintable } from '../printable.ts';
import { describeArm, formatCoverage, formatPCell } from './format-comparison-cells.ts';
import { formatRatio, formatRatioInterval } from './format-comparison-ratio.ts';
import { absent } from './item-row.ts';
import { formatTime } from './quantities.ts';
import { formatColumns, formatLegend, type Terminal } from './terminal.ts';
import { type Column, wrapText } from './text-layout.ts';

/** Several pairs as one family, one line each. */
export function formatFamily(comparison: ItemsComparison, terminal: Terminal): string[] {
  const { campaign, selectors, pairs, family, margin, equivalence, differIn } = comparison;
  const { width, paint } = terminal;
  const count = (verdict: ComparedPair['verdict']) =>
    pairs.filter((pair) => pair.verdict === verdict).length;
  const equivalent = equivalence === null ? '' : `, ${count('equivalent')} equivalent`;
  const head = `B is slower in ${count('slower')} of ${pairs.length} comparisons, faster in ${count('faster')}${equivalent}; ${count('inconclusive')} inconclusive.`;
  const correction = `One family of ${family.size}: intervals at ${formatCoverage(family.intervalLevel)} each, so that all hold together at ${formatLimit(family.jointLevel)} (Bonferroni); p-values of (g) corrected by Holm. Slower and faster are said from ${formatLimit(margin)} on.`;
  return [
    ...wrapText(toPrintable(`${campaign}: A ${selectors.a}, B ${selectors.b}`), width),
    ...wrapText(head, width).map((line) => paint('bold', line)),
    ...wrapText(correction, width),
    '',
    ...formatPairs(pairs, differIn, terminal),
    '',
    ...formatLegend(terminal, legend),
  ];
}

const legend =
  'n: pairs, the rounds in which both have a valid trial (of so many begun). time: median of the trial means. B/A: median of ' +
  'the paired ratios; medians: ratio of the times. (g): interval of the randomisation test, which decides; from: other ' +
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
    ...column('verdict', (pair) => pair.verdict, 'left'),
    paint: (text) =>
      text === 'inconclusive' ? terminal.paint('yellow', text) : terminal.paint('bold', text),
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
        column('p', ({ decision }) => formatPCell(decision?.adjustedPValue)),
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
  const words = {
    architecture: item.architecture,
    quantization: item.quantization,
    sequenceLength: `S${item.sequenceLength}`,
    phase: item.phase,
  };
  return (Object.keys(words) as (keyof Item)[])
    .filter((key) => !differIn.includes(key))
    .map((key) => words[key])
    .join(' ');
}
