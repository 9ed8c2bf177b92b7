import type { DecisionEntry } from '../formats/ledger.ts';

/** `7 of 22 comparisons decided` */
export function countDecided({ comparisons }: Pick<DecisionEntry, 'comparisons'>): string {
  const decided = comparisons.filter(({ state }) => state !== 'open').length;
  return `${decided} of ${comparisons.length} comparisons decided`;
}
