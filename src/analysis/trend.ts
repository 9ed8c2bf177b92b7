import type { ItemAnalysis } from '../formats/item-analysis.ts';
import { createRandom } from '../random.ts';
import { adjustByHolm } from '../stats/holm.ts';
import { rankCorrelation } from '../stats/spearman.ts';
import type { ItemSample } from './item-sample.ts';

/**
 * Whether an item's trials became slower or faster in the course of the campaign: Spearman's rank
 * correlation of trial mean and place in the campaign. All items are looked at, so their p-values
 * are adjusted by Holm over those that have one.
 */
export function correlateWithPlace(samples: readonly ItemSample[]): ItemAnalysis['trend'][] {
  const random = createRandom('trend'); // one for all, so that they share their permutations
  const correlations = samples.map(({ observed, meansNs }) =>
    rankCorrelation(
      observed.map(({ trial }) => trial),
      meansNs,
      random,
    ),
  );
  const adjusted = adjustByHolm(correlations.flatMap((found) => found?.pValue ?? []));
  let place = 0;
  return correlations.map((found) => found && { ...found, adjustedPValue: adjusted[place++]! });
}
