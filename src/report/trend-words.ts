import { formatItem } from '../formats/architecture.ts';
import type { ItemAnalysis } from '../formats/item-analysis.ts';
import { formatCount } from '../units.ts';
import { explainNone } from './item-row.ts';
import { formatPValue } from './quantities.ts';

/** Adjusted p-values up to this are named; the size of the test. */
const significance = 0.05;

/** Items that became slower or faster in the course of the campaign, and how many were looked at. */
export function describeTrends(items: readonly ItemAnalysis[]): {
  summary: string;
  found: string[];
} {
  const family = items.filter(({ trend }) => trend !== null);
  if (family.length === 0) return { summary: explainNone(items, 'trend'), found: [] };
  const judged = `Spearman’s rank correlation of trial mean and place in the campaign, two-sided; Holm’s correction over the family of ${formatCount(family.length, 'item')}`;
  const adjusted = family.map(({ trend }) => trend!.adjustedPValue);
  const found = family.filter((_, index) => adjusted[index]! <= significance);
  const least = Math.min(
    1,
    family.length * Math.min(...family.map(({ trend }) => trend!.smallestP)),
  );
  if (found.length === 0 && least > significance) {
    const summary = `No trend can show here: with so few trials even the strongest would have a corrected ${formatPValue(least)} (${judged}).`;
    return { summary, found: [] };
  }
  const summary =
    found.length === 0
      ? `No item was found to become steadily slower or faster (${judged}; smallest corrected ${formatPValue(Math.min(...adjusted))}). With few trials only strong trends show.`
      : `${formatCount(found.length, 'item')} of ${family.length} became steadily slower or faster (${judged}).`;
  return { summary, found: found.map(describeTrend) };
}

function describeTrend(item: ItemAnalysis): string {
  const { rho, pValue, adjustedPValue, method } = item.trend!;
  const sign = rho > 0 ? '+' : '';
  return `${formatItem(item)}: ${rho > 0 ? 'slower' : 'faster'} later, rho ${sign}${rho.toFixed(2)}, ${formatPValue(pValue)} (${method}), corrected ${formatPValue(adjustedPValue)}`;
}
