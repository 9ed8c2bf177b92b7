import { formatItem } from '../formats/architecture.ts';
import type { Plan } from '../formats/plan.ts';
import { fewestForSimultaneousInterval } from '../stats/simultaneous-interval.ts';
import { formatDuration, formatWhole } from '../units.ts';
import { intervalLevel } from './budget-expectation.ts';
import { formatProcesses } from './budget-words.ts';
import { listItems } from './schedule.ts';

/** Variants under one test of one model, in the test that has the most: what a heat map chooses among. */
export function countCells(plan: Plan): number {
  const tests = Map.groupBy(listItems(plan), ({ item: { variant: _variant, ...test }, model }) =>
    JSON.stringify([model.sha256, formatItem(test)]),
  );
  return Math.max(...[...tests.values()].map(({ length }) => length));
}

/** Fewest processes of a cell with which so many cells have intervals that hold together. */
export function processesForCells(cells: number): number {
  return fewestForSimultaneousInterval(cells, intervalLevel);
}

/**
 * Whether a heat map of so many cells will be able to tell them apart: 8 processes for 4 cells.
 * @param enough what enough processes would take, and the option that gives that time; null: not known
 */
export function describeCells(
  cells: number,
  processes: number,
  enough: { ns: number; option: string } | null,
): string {
  const needed = processesForCells(cells);
  const takes = `choosing among the ${formatWhole(cells)} cells of a test takes ${formatProcesses(needed)} of each`;
  if (processes >= needed) return `C${takes.slice(1)}: there are ${formatWhole(processes)}.`;
  const time =
    enough === null
      ? `--processes ${needed} would do`
      : `${formatDuration(enough.ns)} would do: ${enough.option}`;
  return `CAREFUL: ${takes}; with ${formatWhole(processes)} the heat map can tell no cell from the best. ${time}.`;
}
