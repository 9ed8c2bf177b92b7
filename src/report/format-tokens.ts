import { formatCondition } from '../formats/architecture.ts';
import type { TokenAnalysis } from '../formats/token-analysis.ts';
import { toPrintable } from '../printable.ts';
import { formatCount, formatWhole } from '../units.ts';
import { describeMarks } from './drift-words.ts';
import { formatTokenItem } from './format-tokens-item.ts';
import { formatSlowSteps } from './format-tokens-slow.ts';
import {
  createTerminal,
  formatBlock,
  formatLegend,
  formatPoint,
  type Terminal,
} from './terminal.ts';
import { wrapText } from './text-layout.ts';

/** What a campaign says step by step, for a terminal: the items, slow steps, what is not shown. */
export function formatTokens(
  analysis: TokenAnalysis,
  options: { colour: boolean; width: number },
): string {
  const terminal = createTerminal(options);
  const { items, caveats } = analysis;
  const lines = [
    ...formatHead(analysis, terminal),
    ...items.flatMap((item) => [
      ...formatTokenItem(item, terminal),
      ...formatSlowSteps(item, terminal),
    ]),
    ...formatMeanings(analysis, terminal),
    ...formatBlock(
      terminal,
      'What this does not show',
      caveats.flatMap((caveat) => formatPoint(terminal, caveat)),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function formatHead(analysis: TokenAnalysis, { width, paint }: Terminal): string[] {
  const { name, progress, repetitions, identity, warnings, cachePreparation, firstItem } = analysis;
  const { warmup, kept } = repetitions;
  const mark = describeMarks(
    analysis.drift.flatMap((one) =>
      one.state === 'evaluated' && one.exceeded
        ? [{ ...one, firstItem: firstItem && formatCondition(firstItem) }]
        : [],
    ),
  );
  const say = (text: string) => wrapText(toPrintable(text), width);
  const failed = progress.failed === 0 ? '' : `, ${progress.failed} failed`;
  const restored =
    cachePreparation === 'restore' ? '; the cache is restored before each, not computed' : '';
  return [
    ...[...warnings, ...(mark === null ? [] : [mark])].flatMap((warning) =>
      say(warning).map((line) => paint('red', line)),
    ),
    ...say(
      `${name}: every decode step timed; ${progress.observed} of ${formatWhole(progress.planned)} processes observed${failed}`,
    ).map((line) => paint('bold', line)),
    ...say(
      `One process is one sample: ${warmup} warm-up and ${formatCount(kept, 'kept repetition')} in each${restored}.`,
    ),
    ...say(identity.label),
    ...say(
      `Device ${identity.device}: ${identity.fingerprint.deviceDescription}. Baseline ${identity.baselineKey.slice(0, 12)}.`,
    ),
  ];
}

/** What stands in the tables. */
function formatMeanings({ items }: TokenAnalysis, terminal: Terminal): string[] {
  if (items.length === 0) return [];
  const meanings = [
    'Each row is worked out in every process by itself, over its kept repetitions; median, interval and ±interval (the farther end of the interval, in % of the median) are over the processes.',
    'p90, p99, p99.9: of N steps in ascending order the one at rank ceil(q N); beyond: steps at ranks above it. median step: of an even number the mean of the middle two.',
    'first token: prefill + first step, the mean of the kept repetitions. With load: + loading the model and making the context. Fresh process: the same with the first repetition, before which nothing ran.',
  ];
  return ['', ...meanings.flatMap((meaning) => formatLegend(terminal, meaning))];
}
