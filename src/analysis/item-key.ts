import { type Item, workKey } from '../formats/architecture.ts';

/** What makes two trials trials of one item: the model by its hash, its work and the phase. */
export function itemKey(item: Item, modelSha256: string): string {
  return `${modelSha256} ${workKey(item)} ${item.phase}`;
}
