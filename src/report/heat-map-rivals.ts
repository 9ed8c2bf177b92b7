import type { HeatMap } from './heat-map.ts';

/** What to compare after a look at many: the best cell of a test and the best that differs from it. */
export interface HeatRivals {
  /** Variants by their names: that which leads the first of the tests, then the other. */
  variants: [string, string];
  /** Titles of the tests in which the two are first and second, by which of them leads. */
  leads: { best: string; titles: string[] }[];
}

/**
 * One entry for each pair of variants, in the order of the tests; none where a test has fewer than two
 * times. Variants that llama.cpp makes the same in a test are no rivals there.
 */
export function listRivals(maps: readonly HeatMap[]): HeatRivals[] {
  const pairs = new Map<string, HeatRivals>();
  for (const { title, blocks, alike } of maps) {
    const [best, ...others] = blocks
      .flatMap(({ cells }) => cells)
      .filter(({ tokensPerSecond }) => tokensPerSecond !== null)
      .sort((a, b) => b.tokensPerSecond! - a.tokensPerSecond!)
      .map(({ variant }) => variant);
    if (best === undefined) continue;
    const same = alike.find((group) => group.includes(best)) ?? [];
    const rival = others.find((variant) => !same.includes(variant));
    if (rival === undefined) continue;
    const key = [best, rival].sort().join('\n'); // one comparison has both ways round
    const pair = pairs.get(key) ?? { variants: [best, rival], leads: [] };
    const lead = pair.leads.find((known) => known.best === best);
    if (lead === undefined) pair.leads.push({ best, titles: [title] });
    else lead.titles.push(title);
    pairs.set(key, pair);
  }
  return [...pairs.values()];
}
