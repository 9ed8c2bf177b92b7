import type { Analysis } from '../formats/analysis.ts';
import type { ItemAnalysis } from '../formats/item-analysis.ts';
import type { Execution } from '../formats/protocol.ts';
import { canonicalJson } from '../hash.ts';
import { testOf } from '../llama-bench/item-name.ts';
import { lowerBatches } from '../llama-bench/options/lowered-batches.ts';

/** llama.cpp's name of the device that has no layers to take. */
const cpuDevice = 'CPU';

/**
 * Names of variants that do the same in one test, in groups of two or more: llama.cpp lowers a batch to
 * the context, which is as long as the test, and on a CPU it moves no layers.
 * @param items of one test, each under another variant
 */
export function listAlike(
  { identity, protocol }: Analysis,
  items: readonly ItemAnalysis[],
): string[][] {
  const variants = new Map((identity.variants ?? []).map((variant) => [variant.name, variant]));
  const runs = items.flatMap((item) => {
    const variant = item.variant === undefined ? undefined : variants.get(item.variant);
    return variant === undefined ? [] : [{ item, variant }];
  });
  const groups = Map.groupBy(runs, ({ item, variant: { backend, changes } }) => {
    const { tokens, depth } = testOf(item, protocol.decodeSteps);
    const settings = { ...protocol.execution, ...changes } as Execution;
    const execution = lowerBatches(settings, depth + tokens);
    return canonicalJson([
      backend,
      identity.device === cpuDevice ? { ...execution, gpuLayers: 0 } : execution,
    ]);
  });
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => group.map(({ variant }) => variant.name));
}
