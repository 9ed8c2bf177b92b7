import { formatItem } from '../formats/architecture.ts';
import type { ItemsComparison } from '../formats/comparison.ts';
import { formatFamily } from './format-comparison-family.ts';
import { formatPair } from './format-comparison-pair.ts';
import { formatBlock, formatPoint, formatSentence, type Terminal } from './terminal.ts';

/** Items of one campaign beside one another: the verdict first, then what it rests on. */
export function formatItemsComparison(comparison: ItemsComparison, terminal: Terminal): string[] {
  const [pair] = comparison.pairs;
  return [
    ...(comparison.pairs.length === 1 && pair !== undefined
      ? formatPair(comparison, pair, terminal)
      : formatFamily(comparison, terminal)),
    ...formatMissing(comparison, terminal),
    ...formatUnmatched(comparison, terminal),
  ];
}

/** What could not be given, each reason once. */
function formatMissing({ pairs, missing: ofAll }: ItemsComparison, terminal: Terminal): string[] {
  const reasons = [...ofAll, ...pairs.flatMap(({ missing }) => missing)].map(
    ({ reason }) => reason,
  );
  return formatBlock(
    terminal,
    'What could not be given',
    [...new Set(reasons)].flatMap((reason) => formatPoint(terminal, reason)),
  );
}

function formatUnmatched({ unmatched }: ItemsComparison, terminal: Terminal): string[] {
  const sides = (['a', 'b'] as const).filter((side) => unmatched[side].length > 0);
  return formatBlock(
    terminal,
    'Not compared: nothing on the other side agrees with them',
    sides.flatMap((side) =>
      formatSentence(
        terminal,
        `${side.toUpperCase()}: ${unmatched[side].map(formatItem).join('; ')}`,
      ),
    ),
  );
}
