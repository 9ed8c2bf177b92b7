import type { Phase } from '../formats/architecture.ts';

/** The family of comparisons where a plan declares none. @param phases of its items */
export function nameAllItems(phases: readonly Phase[]): string {
  const isBoth = new Set(phases).size > 1;
  return `all items of the plan${isBoth ? ', prefill and decode apart' : ''}`;
}
