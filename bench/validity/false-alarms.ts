import { mannWhitneyTest } from '../../src/stats/mann-whitney.ts';
import { randomisationTest } from '../../src/stats/randomisation-test.ts';
import { intervalsAreDisjoint, simulatePair, welchRejects } from './compare.ts';
import { createTallies, type Outcome, type Task } from './study.ts';
import type { Draw } from './world.ts';

/** How often a difference is declared at 5 %: false alarms without one, power with one. */
export function countAlarms(task: Task, draw: Draw): Outcome {
  const tallies = createTallies();
  for (let i = 0; i < task.simulations; i++) {
    const { a, b } = simulatePair(task, draw);
    const { pValue, statistic } = randomisationTest(a, b);
    const isRight = task.difference === undefined || statistic > 0;
    tallies.add('randomisation', pValue <= 0.05 && isRight);
    if (task.arms > 2 || task.n !== 10) continue;
    tallies.add('interval overlap', intervalsAreDisjoint(a, b));
    tallies.add('Welch t', welchRejects(a, b));
    // The slowest of them: half as many.
    if (i % 2 === 0) tallies.add('Mann-Whitney', mannWhitneyTest(a, b).pValue <= 0.05);
  }
  return tallies.outcome();
}
