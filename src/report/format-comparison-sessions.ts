import { formatItem } from '../formats/architecture.ts';
import type { SessionsComparison } from '../formats/comparison.ts';
import { formatCount } from '../units.ts';
import { formatAgreement } from './format-comparison-agreement.ts';
import { formatDisturbances } from './format-comparison-disturbances.ts';
import { absent } from './item-row.ts';
import { formatShare } from './quantities.ts';
import {
  formatBlock,
  formatColumns,
  formatLegend,
  formatPoint,
  type Terminal,
} from './terminal.ts';
import { type Column, wrapText } from './text-layout.ts';

/** Sessions as blocks: how much of the variance lies between them. */
export function formatSessionsComparison(
  comparison: SessionsComparison,
  terminal: Terminal,
): string[] {
  const { agreement, campaigns, missing, devices } = comparison;
  const { width, paint } = terminal;
  return [
    ...wrapText(describeShare(comparison), width).map((line) => paint('bold', line)),
    ...formatDisturbances(comparison, terminal),
    ...wrapText(describeSpecimens(comparison), width),
    ...devices.flatMap((device) => wrapText(describeDevice(device), width)),
    '',
    ...formatSessions(comparison, terminal),
    '',
    ...formatItems(comparison, terminal),
    '',
    ...formatLegend(terminal, legend),
    ...agreement.flatMap(({ campaign, rows }) =>
      formatAgreement(
        terminal,
        `Do ${campaigns[0]} (A) and ${campaign} (B) agree in the rest?`,
        rows,
      ),
    ),
    ...formatBlock(
      terminal,
      'What could not be given',
      [...new Set(missing.map(({ reason }) => reason))].flatMap((reason) =>
        formatPoint(terminal, reason),
      ),
    ),
  ];
}

const legend =
  'One-way random effects on log times. between, within: standard deviations of log time, the square roots of the variance ' +
  'components (0.01 is about 1 %; large ones are no percentages). share: of their variance, the part between sessions; a negative component counts as 0.';

function describeShare({ medianSessionShare, sessions, items }: SessionsComparison): string {
  const blocks = formatCount(sessions.length, 'session');
  if (medianSessionShare === null) {
    return `${blocks}: how much of the variance lies between them cannot be said for any item.`;
  }
  const known = items.filter(({ sessionShare }) => sessionShare !== null).length;
  return `${blocks}: in the median of ${formatCount(known, 'item')} ${formatShare(medianSessionShare)} of the variance of log time lies between sessions.`;
}

function describeSpecimens({ specimens, sessions }: SessionsComparison): string {
  if (specimens === 'same') return 'All sessions ran on the same device.';
  if (specimens === 'not-known') return 'Whether the sessions ran on the same device is not known.';
  const known = new Set(sessions.flatMap(({ device }) => (device === null ? [] : [device])));
  return `The sessions ran on ${known.size} devices of the same kind: day and device are mixed.`;
}

function describeDevice({
  device,
  sessions,
  items,
  medianSessionShare,
}: SessionsComparison['devices'][number]) {
  const share = medianSessionShare === null ? 'not known' : formatShare(medianSessionShare);
  return `On device ${device} alone, ${sessions.length} sessions: ${share} (median of ${formatCount(items, 'item')}).`;
}

function formatSessions({ sessions }: SessionsComparison, terminal: Terminal): string[] {
  type Session = SessionsComparison['sessions'][number];
  const column = (
    heading: string,
    cell: (session: Session) => string,
    align: Column['align'] = 'right',
  ): Column => ({ heading, align, cells: sessions.map(cell) });
  return formatColumns(
    terminal,
    column('session', ({ campaign, session }) => `${campaign} ${session}`, 'left'),
    [
      [
        column('begun', ({ time }) => time ?? absent, 'left'),
        column('valid trials', ({ trials }) => `${trials}`),
        column('device', ({ device }) => (device === null ? absent : `${device}`)),
      ],
    ],
  );
}

function formatItems({ items }: SessionsComparison, terminal: Terminal): string[] {
  type Item = SessionsComparison['items'][number];
  const column = (
    heading: string,
    cell: (item: Item) => string,
    align: Column['align'] = 'right',
  ): Column => ({ heading, align, cells: items.map(cell) });
  const deviation = (value: number | null) => (value === null ? absent : value.toFixed(4));
  return formatColumns(terminal, column('item', formatItem, 'left'), [
    [
      column('sessions', ({ sessions }) => `${sessions}`),
      column('trials', ({ trials }) => `${trials}`),
      column('within', ({ withinSessions }) => deviation(withinSessions)),
      column('between', ({ betweenSessions }) => deviation(betweenSessions)),
      column('share', ({ sessionShare }) =>
        sessionShare === null ? absent : formatShare(sessionShare),
      ),
    ],
  ]);
}
