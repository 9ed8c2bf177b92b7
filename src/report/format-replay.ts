import { formatItem } from '../formats/architecture.ts';
import type { Replay, SequentialAnalysis } from '../formats/sequential.ts';
import { toPrintable } from '../printable.ts';
import { formatCount, formatDuration } from '../units.ts';
import { formatComparisons } from './blocks/sequential.ts';
import { countStates, describeRule } from './sequential-words.ts';
import { createTerminal, formatPoint, formatSentence } from './terminal.ts';
import { wrapText } from './text-layout.ts';

/** A replay for a terminal: its label first, then where the rule would have ended the campaign. */
export function formatReplay(replay: Replay, options: { colour: boolean; width: number }): string {
  const terminal = createTerminal(options);
  const { campaign, measuredUnder, replayedUnder, label, sequential, items } = replay;
  const title = `${campaign} (measured under ${measuredUnder.name}) through the stopping rule of ${replayedUnder.name}`;
  const lines = [
    ...wrapText(toPrintable(title), options.width).map((line) => terminal.paint('bold', line)),
    ...wrapText(`${label[0]!.toUpperCase()}${label.slice(1)}.`, options.width).map((line) =>
      terminal.paint('yellow', line),
    ),
    '',
    ...formatSentence(terminal, describeEnd(replay)),
    ...formatSentence(terminal, describeRule(sequential)),
    ...listDecidingRounds(sequential).flatMap((round) => formatPoint(terminal, round)),
    '',
    ...formatComparisons(sequential, items, terminal),
  ];
  return `${lines.join('\n')}\n`;
}

/** Where it would have ended, and what that would have saved. */
export function describeEnd({ recorded, sequential, end, lacking, items }: Replay): string {
  const { decided, family, maximumRounds } = sequential;
  const states = countStates(sequential);
  const all = `${formatCount(recorded.rounds, 'round')}, ${formatCount(recorded.trials, 'trial')}, ${formatDuration(recorded.hardwareNs)} of hardware time`;
  if (end === null && lacking !== undefined) {
    const first = formatItem(items[lacking.items[0]!]!);
    const others = lacking.items.length - 1;
    const named = others === 0 ? first : `${first} and ${formatCount(others, 'other item')}`;
    return `Where it would have ended is not known: from round ${lacking.round} on the recording left out ${named}, since decided under its own rule, and this one would have gone on measuring. Until then ${decided} of ${formatCount(family, 'comparison')} decided (${states}). Recorded: ${all}.`;
  }
  if (end === null) {
    return `It would not have ended within what was recorded (${all}): ${decided} of ${formatCount(family, 'comparison')} decided (${states}), of at most ${maximumRounds} rounds.`;
  }
  const { because, afterRounds, trialsLess, hardwareNsLess } = end;
  const why =
    because === 'all-decided' ? 'with every comparison decided' : 'at its maximum, with some open';
  const share = recorded.hardwareNs === 0 ? 0 : hardwareNsLess / recorded.hardwareNs;
  const saved =
    trialsLess === 0
      ? 'nothing less than was measured'
      : `${formatCount(trialsLess, 'trial')} and ${formatDuration(hardwareNsLess)} less (${Math.round(share * 100)} % of the hardware time)`;
  return `It would have ended after round ${afterRounds}, ${why} (${states}): ${saved}. Recorded: ${all}.`;
}

/** `round 10: 8 slower, 8 faster`, for each round in which something would have been decided. */
function listDecidingRounds({ comparisons }: SequentialAnalysis): string[] {
  const byRound = Map.groupBy(comparisons, ({ decidedAfter }) => decidedAfter);
  return [...byRound]
    .flatMap(([round, decided]) => (round === null ? [] : [{ round, decided }]))
    .sort((first, second) => first.round - second.round)
    .map(({ round, decided }) => {
      const count = formatCount(decided.length, 'comparison');
      return `in round ${round}: ${count} decided (${countStates({ comparisons: decided })})`;
    });
}
