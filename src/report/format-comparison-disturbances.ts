import { formatCondition, formatItem } from '../formats/architecture.ts';
import type { Agreement, Comparison, Disturbance } from '../formats/comparison.ts';
import { toPrintable } from '../printable.ts';
import { formatCount } from '../units.ts';
import { describeDisturbance } from './disturbance-words.ts';
import { describeMarks } from './drift-words.ts';
import type { Terminal } from './terminal.ts';
import { wrapText } from './text-layout.ts';

/** How many items a line names. */
const mostNamed = 6;

/** What disturbed the numbers that are compared, to stand right after the verdict. */
export function formatDisturbances(comparison: Comparison, { paint, width }: Terminal): string[] {
  const { disturbances } = comparison;
  const say = (colour: 'red' | 'yellow', words: string | null) =>
    words === null ? [] : wrapText(toPrintable(words), width).map((line) => paint(colour, line));
  return [
    ...disturbances.flatMap((one) => {
      const of = disturbances.length === 1 ? '' : `${one.campaign}: `;
      const name = (words: string | null) => (words === null ? null : `${of}${words}`);
      return [
        ...say('red', name(one.otherUse && describeDisturbance({ otherUse: one.otherUse }))),
        ...say('red', name(describeDriftOf(one))),
        ...say('yellow', name(describeSpeedsOf(one))),
        ...say('yellow', name(describeEnvironmentOf(one))),
      ];
    }),
    ...agreementsOf(comparison).flatMap(({ of, rows }) => say('yellow', describeOthers(rows, of))),
  ];
}

function describeDriftOf({ drift }: Disturbance): string | null {
  return describeMarks(
    drift.flatMap(({ phase, state, change, threshold, firstItem }) =>
      state === 'marked'
        ? [
            {
              phase,
              change: change!,
              threshold: threshold!,
              firstItem: firstItem && formatCondition(firstItem),
            },
          ]
        : [],
    ),
  );
}

function describeSpeedsOf({ twoSpeed }: Disturbance): string | null {
  if (twoSpeed.length === 0) return null;
  const names = twoSpeed.slice(0, mostNamed).map(formatItem).join('; ');
  const rest = twoSpeed.length > mostNamed ? ` and ${twoSpeed.length - mostNamed} more` : '';
  return `Two speeds: the trials of ${names}${rest} fall into a fast and a slow group, so that one ratio does not describe them.`;
}

function describeEnvironmentOf({ environment }: Disturbance): string | null {
  if (environment === null || environment.length === 0) return null;
  const differences = [...new Set(environment.flatMap((session) => session.differences))];
  return `The environment changed in ${formatCount(environment.length, 'session')}: ${differences.join('; ')}.`;
}

function agreementsOf(comparison: Comparison): { of: string; rows: readonly Agreement[] }[] {
  switch (comparison.kind) {
    case 'items':
      return [];
    case 'campaigns':
      return [{ of: 'A and B', rows: comparison.agreement }];
    case 'sessions':
      return comparison.agreement.map(({ campaign, rows }) => {
        return { of: `${comparison.campaigns[0]} (A) and ${campaign} (B)`, rows };
      });
  }
}

function describeOthers(rows: readonly Agreement[], of: string): string | null {
  const different = rows.find(({ what, state }) => what === 'environment' && state === 'different');
  return different === undefined
    ? null
    : `The environments of ${of} differ: ${different.details.join('; ')}.`;
}
