import { certainErrors, errorsBeyond, formatShare, type Goal, isMet } from './figure.ts';
import { type Outcome, seedOf, type Tally, type Task } from './study.ts';

export type Cell = Omit<Task, 'simulations'>;

/** A figure that was held against a goal which the method promises to meet. */
export interface Judged {
  /** Where it stands in the document. */
  where: string;
  errorsBeyond: number;
  isMet: boolean;
}

/** The outcomes of all tasks; collects what was judged while the tables are written. */
export interface Results {
  tally(cell: Cell, method: string): Tally;
  /** The text of a table's cell, judged if there is a promise to judge. */
  judge(where: string, tally: Tally, goal: Goal): string;
  judged(): Judged[];
}

export function createResults(outcomes: ReadonlyMap<string, Outcome>): Results {
  const judged: Judged[] = [];
  return {
    tally(cell, method) {
      const tally = outcomes.get(seedOf(cell))?.[method];
      if (tally === undefined) throw new Error(`nothing was simulated for ${seedOf(cell)}`);
      return tally;
    },
    judge(where, tally, goal) {
      if (goal.isPromised) {
        const beyond = errorsBeyond(tally, goal);
        judged.push({ where, errorsBeyond: beyond, isMet: isMet(tally, goal) });
      }
      return formatShare(tally, goal);
    },
    judged: () => judged,
  };
}

/** Beyond what chance can explain. */
export const isBroken = (figure: Judged): boolean => figure.errorsBeyond > certainErrors;
