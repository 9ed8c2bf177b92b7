import { mean } from '../../src/stats/mean.ts';
import type { WorldKey } from './world.ts';

/** One cell of a table: so many campaigns of one kind in one world. */
export interface Task {
  study:
    | 'false-alarms'
    | 'coverage'
    | 'one-sample'
    | 'joint'
    | 'tail'
    | 'sequences'
    | 'power'
    | 'rounds';
  world: WorldKey;
  /** Arms in the campaign; two of them are compared. */
  arms: number;
  /** Rounds; for the sequential studies the most. */
  n: number;
  simulations: number;
  /** Real ratio of the two arms less 1, where the study varies it. */
  difference?: number;
  sd?: number;
}

/** What came of it, for each method that was tried on the same campaigns. */
export type Outcome = Record<string, Tally>;

export interface Tally {
  hits: number;
  simulations: number;
  /** Median width of the intervals, or mean number of rounds. */
  size?: number;
}

/** Also the name of a task: everything but the number of campaigns. */
export const seedOf = ({ study, world, arms, n, difference, sd }: Omit<Task, 'simulations'>) =>
  `validity/${[study, world, arms, n, difference ?? '', sd ?? ''].join('/')}`;

/** Counts hits and collects sizes while a task runs. */
export function createTallies() {
  const hits = new Map<string, number>();
  const counts = new Map<string, number>();
  const sizes = new Map<string, number[]>();
  return {
    add(method: string, isHit: boolean, size?: number): void {
      hits.set(method, (hits.get(method) ?? 0) + (isHit ? 1 : 0));
      counts.set(method, (counts.get(method) ?? 0) + 1);
      if (size === undefined) return;
      const collected = sizes.get(method) ?? [];
      collected.push(size);
      sizes.set(method, collected);
    },
    outcome(summarise: (sizes: number[]) => number = mean): Outcome {
      return Object.fromEntries(
        [...counts].map(([method, simulations]) => {
          const tally = { hits: hits.get(method)!, simulations };
          const collected = sizes.get(method);
          return [method, collected ? { ...tally, size: summarise(collected) } : tally];
        }),
      );
    },
  };
}
