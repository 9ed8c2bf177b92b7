import { formatItem } from '../formats/architecture.ts';
import type { ItemAnalysis } from '../formats/item-analysis.ts';
import { formatCount } from '../units.ts';
import { explainNone } from './item-row.ts';
import { chooseTimeUnit, formatIn, formatPercent } from './quantities.ts';

/** Items whose trials fall into a fast and a slow group. */
export function describeSpeeds(items: readonly ItemAnalysis[]): {
  summary: string;
  found: string[];
} {
  const family = items.filter(({ twoSpeed }) => twoSpeed !== null);
  if (family.length === 0) return { summary: explainNone(items, 'twoSpeed'), found: [] };
  const found = family.filter(({ twoSpeed }) => twoSpeed!.isTwoSpeed);
  const summary =
    found.length === 0
      ? `No item’s trials fall into two groups (${formatCount(family.length, 'item')} looked at).`
      : `The trials of ${found.length} of ${formatCount(family.length, 'item')} fall into a fast and a slow group. One median between two speeds is the speed of neither. This is a reason to look, no test.`;
  return { summary, found: found.map(describeGroups) };
}

function describeGroups(item: ItemAnalysis): string {
  const { fastCount, fastNs, slowCount, slowNs, relativeGap } = item.twoSpeed!;
  const unit = chooseTimeUnit(fastNs);
  const time = (ns: number) => `${formatIn(unit, ns)} ${unit.name}`;
  return `${formatItem(item)}: ${formatCount(fastCount, 'trial')} around ${time(fastNs)}, ${slowCount} around ${time(slowNs)}; the gap between them is ${formatPercent(relativeGap)} of the median`;
}
