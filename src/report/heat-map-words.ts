import type { HeatMap } from './heat-map.ts';
import type { HeatAxis } from './heat-map-axes.ts';

/** `batch (with ubatch)`: a setting, and those that change with it. */
export function nameAxis({ setting, follows }: HeatAxis): string {
  return follows.length === 0 ? setting : `${setting} (with ${follows.join(', ')})`;
}

/** What decides the marks, and what they do not say. */
export function explainHeatMaps(maps: readonly HeatMap[]): string {
  const lacking = maps.filter(({ blocks }) =>
    blocks.some(({ cells }) => cells.some(({ state }) => state === 'no-interval')),
  );
  const needed = listNumbers(lacking.map(({ processesNeeded }) => processesNeeded));
  const without =
    lacking.length === 0
      ? ''
      : ` Without an interval nothing is said: it takes ${needed} processes of a cell, and as many of the best.`;
  const cells = listNumbers(maps.map(({ familySize }) => familySize));
  return (
    `${describeAlike(maps)}The best is the largest rate that was measured. Another cell cannot be told from it where its interval overlaps that of the best: order statistics over processes, simultaneous over the ${cells} cells of one test (Bonferroni), 95 % together.${without} ` +
    'Overlap is no test of equality, and the best was picked after looking: `rooflaw compare` tests a pair.'
  );
}

/** A sentence, with a space behind it, for each group of cells that are the same; empty without. */
function describeAlike(maps: readonly HeatMap[]): string {
  const titlesOf = new Map<string, string[]>();
  for (const { title, alike } of maps) {
    for (const group of alike) {
      const names = group.join(' and ');
      titlesOf.set(names, [...(titlesOf.get(names) ?? []), title]);
    }
  }
  return [...titlesOf]
    .map(
      ([names, titles]) =>
        `${names} are the same in ${titles.join(', ')}, whatever rates were measured. `,
    )
    .join('');
}

/** `8`, or `8 or 12`. */
function listNumbers(numbers: readonly number[]): string {
  return [...new Set(numbers)].sort((a, b) => a - b).join(' or ');
}
