import type { SampleAnalysis } from '../formats/analysis.ts';
import { formatCount } from '../units.ts';

/**
 * How much was measured. Without a plan nobody knows what it was to be, so that rounds are counted by
 * the items that have a valid trial in them, as a comparison counts them.
 */
export function describeProgress({
  progress,
  items,
  trials,
}: Pick<SampleAnalysis, 'progress' | 'items' | 'trials'>): string {
  const { planned, observed, failed } = progress;
  if (planned !== null) return `${observed} of ${planned} trials observed, ${failed} failed`;
  const rounds = [...Map.groupBy(trials, ({ round }) => round).values()].map(
    (round) =>
      new Set(round.flatMap(({ item, state }) => (state === 'observed' ? [item] : []))).size,
  );
  const partial = rounds.filter((count) => count < items.length);
  const complete = `${formatCount(rounds.length - partial.length, 'round')} with a valid trial of every item`;
  const rest =
    partial.length === 0
      ? ''
      : partial.length === 1
        ? ` and ${partial[0]} of ${formatCount(items.length, 'item')} of one more`
        : ` and parts of ${partial.length} more`;
  return `${formatCount(trials.length, 'trial')} in the table, ${complete}${rest}, ${failed} failed`;
}
