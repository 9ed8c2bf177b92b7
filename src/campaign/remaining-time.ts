import { formatItem, type Item } from '../formats/architecture.ts';

/** Estimates how long the rest of a campaign takes from what its trials took so far. */
export interface RemainingTime {
  record(item: Item, elapsedNs: number): void;
  /** null before the first trial; an item that was not seen yet is taken as the mean of the others. */
  estimateNs(remaining: readonly Item[]): number | null;
}

export function createRemainingTime(): RemainingTime {
  const perItem = new Map<string, { sumNs: number; count: number }>();
  const total = { sumNs: 0, count: 0 };
  return {
    record(item, elapsedNs) {
      const key = formatItem(item);
      const own = perItem.get(key) ?? { sumNs: 0, count: 0 };
      perItem.set(key, { sumNs: own.sumNs + elapsedNs, count: own.count + 1 });
      total.sumNs += elapsedNs;
      total.count += 1;
    },
    estimateNs(remaining) {
      if (total.count === 0) return null;
      return remaining.reduce((sum, item) => {
        const { sumNs, count } = perItem.get(formatItem(item)) ?? total;
        return sum + sumNs / count;
      }, 0);
    },
  };
}
