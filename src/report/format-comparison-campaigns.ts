import { formatItem } from '../formats/architecture.ts';
import type { CampaignsComparison } from '../formats/comparison.ts';
import { toPrintable } from '../printable.ts';
import { formatCount, formatWhole } from '../units.ts';
import { formatAgreement } from './format-comparison-agreement.ts';
import { describeArm } from './format-comparison-cells.ts';
import { formatDisturbances } from './format-comparison-disturbances.ts';
import { absent } from './item-row.ts';
import { formatChange, formatPercent } from './quantities.ts';
import {
  formatBlock,
  formatColumns,
  formatLegend,
  formatSentence,
  type Terminal,
} from './terminal.ts';
import { type Column, wrapText } from './text-layout.ts';

type Item = CampaignsComparison['items'][number];

/** The same items measured twice: how far the times moved, and whether that can be compared. */
export function formatCampaignsComparison(
  comparison: CampaignsComparison,
  terminal: Terminal,
): string[] {
  const { a, b, label, agreement } = comparison;
  const { width, paint } = terminal;
  const sentences = [describeChange(comparison), describeStable(comparison)];
  return [
    ...wrapText(`A ${describeCampaign(a)}`, width, '', '  '),
    ...wrapText(`B ${describeCampaign(b)}`, width, '', '  '),
    ...sentences
      .flatMap((sentence) => wrapText(sentence, width))
      .map((line) => paint('bold', line)),
    ...formatDisturbances(comparison, terminal),
    ...wrapText(`These changes are ${label}.`, width).map((line) => paint('yellow', line)),
    ...(a.completeRounds === b.completeRounds ? [] : wrapText(describeSubsets(comparison), width)),
    '',
    ...formatItems(comparison.items, terminal),
    '',
    ...formatLegend(terminal, legend),
    ...formatAgreement(terminal, 'Do they agree in the rest?', agreement),
    ...formatUnmatched(comparison, terminal),
  ];
}

const legend =
  'n: valid trials. time: median of the trial means, with its order-statistic interval. change: time of B over time of A, less 1. ' +
  'stable: the flag of A and of B.';

function describeCampaign(campaign: CampaignsComparison['a']): string {
  const { name, protocol, device, startedAt, sessions, completeRounds, evidence } = campaign;
  const time = startedAt === null ? '' : `, ${startedAt}`;
  const several = sessions === null ? '' : `, ${formatCount(sessions, 'session')}`;
  const source = evidence === 'trial-table' ? ' (public table)' : '';
  return `${name}${source}: ${toPrintable(protocol)} on ${toPrintable(device)}, ${formatCount(completeRounds, 'round')} with a valid trial of every item${several}${time}`;
}

function describeChange({ change, items, missing }: CampaignsComparison): string {
  if (change === null) {
    return `No change can be given: ${missing.find(({ field }) => field === 'change')?.reason}.`;
  }
  const largest = formatItem(items[change.largest]!);
  return (
    `The times of ${formatCount(change.items, 'item')} changed by ${formatPercent(change.medianAbsolute)} in the median and ` +
    `${formatPercent(change.maximumAbsolute)} at most (${largest}); ${change.slower} became slower, ${change.faster} faster.`
  );
}

function describeStable({ stable }: CampaignsComparison): string {
  const unknown =
    stable.unknownA + stable.unknownB === 0
      ? ''
      : ` (not known for ${stable.unknownA} in A, ${stable.unknownB} in B)`;
  return `Stable: ${stable.a} of ${stable.items} items in A, ${stable.b} in B${unknown}.`;
}

function describeSubsets({ stable, missing }: CampaignsComparison): string {
  const { subsets } = stable;
  const about =
    'Fewer stable items alone do not mean a worse environment: more rounds show more rare delays.';
  if (subsets === null) {
    const reason = missing.find(({ field }) => field === 'stable.subsets')?.reason;
    return `${about} Nothing to bring to equal numbers: ${reason}.`;
  }
  const { of, rounds, size, minimum, maximum, holdsOther, isExhaustive, other } = subsets;
  const [longer, shorter] = of === 'a' ? ['A', 'B'] : ['B', 'A'];
  const choices = `${isExhaustive ? 'all' : 'random'} ${formatWhole(subsets.subsets)} choices`;
  const place = `${other === 1 ? 'lies' : 'lie'} ${holdsOther ? 'in this range' : 'outside it'}`;
  const range =
    minimum === maximum
      ? formatCount(minimum, 'stable item')
      : `${minimum} to ${maximum} stable items`;
  return `${about} With only ${size} of its ${rounds} rounds ${longer} would have had ${range} (${choices}, which share samples); the ${other} of ${shorter} in its complete rounds ${place}.`;
}

function formatItems(items: readonly Item[], terminal: Terminal): string[] {
  const { paint } = terminal;
  const column = (
    heading: string,
    cell: (item: Item) => string,
    align: Column['align'] = 'right',
  ): Column => ({ heading, align, cells: items.map(cell) });
  const arm = (side: Item['a']) => describeArm({ ...side, failed: 0 });
  const flag = (stable: boolean | null) => (stable === null ? absent : stable ? 'yes' : 'no');
  return formatColumns(terminal, column('item', formatItem, 'left'), [
    [
      column('n', ({ a, b }) => `${a.n}, ${b.n}`),
      column('time A', ({ a }) => arm(a).time),
      column('time B', ({ b }) => arm(b).time),
      {
        ...column('change', ({ change }) => (change === null ? absent : formatChange(change))),
        paint: (text) => paint('bold', text),
      },
      column('stable', ({ a, b }) => `${flag(a.stable)}, ${flag(b.stable)}`),
    ],
    [
      column('interval A', ({ a }) => arm(a).interval),
      column('interval B', ({ b }) => arm(b).interval),
    ],
  ]);
}

function formatUnmatched({ unmatched }: CampaignsComparison, terminal: Terminal): string[] {
  const sides = (['a', 'b'] as const).filter((side) => unmatched[side].length > 0);
  return formatBlock(
    terminal,
    'Not compared: in one campaign only, or of another model',
    sides.flatMap((side) =>
      formatSentence(
        terminal,
        `${side.toUpperCase()}: ${unmatched[side].map(formatItem).join('; ')}`,
      ),
    ),
  );
}
