import { lowerRankFor } from '../../src/stats/median-interval.ts';
import { followSequence, sequentialRanks } from '../../src/stats/sequential.ts';
import { judgeRatio } from '../../src/stats/verdict.ts';
import { level, simulatePair } from './compare.ts';
import { createTallies, type Outcome, type Task } from './study.ts';
import type { Draw } from './world.ts';

/** The margin of protocol v2. */
const margin = 0.005;
const alpha = 0.05;

const ratiosOf = (task: Task, draw: Draw) => {
  const { a, b } = simulatePair(task, draw);
  return a.map((log, round) => b[round]! - log);
};

/** How often a sequence of intervals excludes "no difference" in any round although there is none. */
export function countSequenceErrors(task: Task, draw: Draw): Outcome {
  const plans = {
    S1: sequentialRanks('S1', alpha, task.n),
    S2: sequentialRanks('S2', alpha, task.n),
    peeking: Array.from({ length: task.n }, (_, index) => lowerRankFor(index + 1, level)),
  };
  const tallies = createTallies();
  for (let i = 0; i < task.simulations; i++) {
    const ratios = ratiosOf(task, draw);
    for (const [method, ranks] of Object.entries(plans)) {
      const isWrong = followSequence(ratios, ranks).some(
        ({ current }) => current !== null && (current.lower > 0 || current.upper < 0),
      );
      tallies.add(method, isWrong);
    }
  }
  return tallies.outcome();
}

/** Whether and after how many rounds `slower` is declared; undecided counts as all rounds. */
export function countRounds(task: Task, draw: Draw): Outcome {
  const methods = ['S1', 'S2'] as const;
  const tallies = createTallies();
  const plans = methods.map((method) => sequentialRanks(method, alpha, task.n));
  for (let i = 0; i < task.simulations; i++) {
    const ratios = ratiosOf(task, draw);
    plans.forEach((ranks, index) => {
      const first = followSequence(ratios, ranks).find(({ running }) => {
        const ratio = running && { lower: Math.exp(running.lower), upper: Math.exp(running.upper) };
        return judgeRatio(ratio, { margin, equivalence: null }) !== 'inconclusive';
      });
      const isSlower = first?.running != null && first.running.lower > 0;
      tallies.add(methods[index]!, isSlower, first?.pairs ?? task.n);
    });
  }
  return tallies.outcome();
}
