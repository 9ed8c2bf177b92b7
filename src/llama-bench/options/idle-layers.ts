import type { Execution } from '../../formats/protocol.ts';
import { canonicalJson } from '../../hash.ts';
import type { BenchVariant } from './request.ts';

/** Sentences on variants that are the same on a CPU, which has no layers to take: only -ngl differs. */
export function describeIdleLayers(variants: readonly BenchVariant[], base: Execution): string[] {
  const groups = Map.groupBy(variants, ({ changes, mainDevice }) =>
    canonicalJson([{ ...base, ...changes, gpuLayers: 0 }, mainDevice]),
  );
  return [...groups.values()]
    .filter((alike) => alike.length > 1)
    .map((alike) => {
      const labels = alike.map(({ label }) => label).join(' and ');
      return `${labels} are the same in every test: on a CPU -ngl changes nothing`;
    });
}
