import type { Item } from '../formats/architecture.ts';

/** What makes two trials trials of one item: the model by its hash, S and the phase. */
export function itemKey({ sequenceLength, phase }: Item, modelSha256: string): string {
  return `${modelSha256} ${sequenceLength} ${phase}`;
}
