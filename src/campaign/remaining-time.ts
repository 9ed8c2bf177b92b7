import { formatItem, type Item } from '../formats/architecture.ts';

/** Estimates how long the rest of a campaign takes from what its trials took so far. */
export interface RemainingTime {
  /** One trial of this item less to do. */
  record(item: Item, elapsedNs: number): void;
  /** null before the first trial; an item that was not seen yet is taken as the mean of the others. */
  estimateNs(): number | null;
}

/** @param remaining the items of all trials that are left. */
export function createRemainingTime(remaining: readonly Item[]): RemainingTime {
  const left = new Map<string, number>();
  for (const item of remaining) left.set(formatItem(item), (left.get(formatItem(item)) ?? 0) + 1);
  const perItem = new Map<string, { sumNs: number; count: number }>();
  const total = { sumNs: 0, count: 0 };
  return {
    record(item, elapsedNs) {
      const key = formatItem(item);
      const own = perItem.get(key) ?? { sumNs: 0, count: 0 };
      perItem.set(key, { sumNs: own.sumNs + elapsedNs, count: own.count + 1 });
      left.set(key, (left.get(key) ?? 1) - 1);
      total.sumNs += elapsedNs;
      total.count += 1;
    },
    estimateNs() {
      if (total.count === 0) return null;
      return [...left].reduce((sum, [key, trials]) => {
        const { sumNs, count } = perItem.get(key) ?? total;
        return sum + (trials * sumNs) / count;
      }, 0);
    },
  };
}
