import type { SampleAnalysis } from '../../formats/analysis.ts';
import { drawBars } from '../bars.ts';
import { describeOrderEffect, describeSubsets } from '../round-words.ts';
import { describeSpeeds } from '../speed-words.ts';
import { formatBlock, formatPoint, formatSentence, type Terminal } from '../terminal.ts';
import { describeTrends } from '../trend-words.ts';

/** How many flags other rounds would have given. */
export function formatSubsets(analysis: SampleAnalysis, terminal: Terminal): string[] {
  const { roundSubsets, items } = analysis;
  const title =
    roundSubsets.state === 'evaluated'
      ? `Stable flags if only ${roundSubsets.size} rounds had been measured`
      : 'Stable flags in fewer rounds';
  return formatBlock(terminal, title, [
    ...formatSentence(terminal, describeSubsets(roundSubsets, items.length)),
    ...(roundSubsets.state === 'evaluated'
      ? [`  ${drawBars(roundSubsets.histogram, terminal.width - 4)}`]
      : []),
  ]);
}

/** Whether place in a round or in the campaign mattered. */
export function formatOrder({ orderEffect, items }: SampleAnalysis, terminal: Terminal): string[] {
  const { summary, found } = describeTrends(items);
  return [
    ...formatBlock(
      terminal,
      'Late in a round against early',
      orderEffect.flatMap((effect) =>
        formatSentence(terminal, `${effect.phase}: ${describeOrderEffect(effect)}`),
      ),
    ),
    ...formatBlock(terminal, 'Late in the campaign against early, item by item', [
      ...formatSentence(terminal, summary),
      ...found.flatMap((trend) => formatPoint(terminal, trend)),
    ]),
  ];
}

export function formatSpeeds({ items }: SampleAnalysis, terminal: Terminal): string[] {
  const { summary, found } = describeSpeeds(items);
  return formatBlock(terminal, 'Two speeds', [
    ...formatSentence(terminal, summary),
    ...found.flatMap((groups) => formatPoint(terminal, groups)),
  ]);
}
