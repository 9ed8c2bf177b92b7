import type { ComparedPair } from '../formats/comparison.ts';

/** Why no verdict may be given whatever the interval shows; null: one is given. */
export function findWithheld({ missing }: ComparedPair): string | null {
  return missing.find(({ field }) => field === 'verdict')?.reason ?? null;
}
