import type { HeatMap } from './heat-map.ts';

/** What to compare after a look at many: the best cell of a test and the second best. */
export interface HeatRivals {
  /** Variants by their names. */
  best: string;
  rival: string;
  /** Titles of the tests in which they are that. */
  titles: string[];
}

/** One entry for each pair of variants, in the order of the tests; none where a test has fewer than two times. */
export function listRivals(maps: readonly HeatMap[]): HeatRivals[] {
  const pairs = new Map<string, HeatRivals>();
  for (const { title, blocks } of maps) {
    const [best, rival] = blocks
      .flatMap(({ cells }) => cells)
      .filter(({ tokensPerSecond }) => tokensPerSecond !== null)
      .sort((a, b) => b.tokensPerSecond! - a.tokensPerSecond!);
    if (best === undefined || rival === undefined) continue;
    const key = [best.variant, rival.variant].sort().join('\n'); // one comparison has both ways round
    const known = pairs.get(key) ?? { best: best.variant, rival: rival.variant, titles: [] };
    if (known.best === best.variant) known.titles.push(title);
    pairs.set(key, known);
  }
  return [...pairs.values()];
}
