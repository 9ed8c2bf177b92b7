import { proportionBounds } from '../../src/stats/proportion.ts';
import { describeTail, slowThreshold } from '../../src/stats/tail.ts';
import { findTwoSpeeds } from '../../src/stats/two-speeds.ts';
import { level } from './compare.ts';
import { createTallies, type Outcome, type Task } from './study.ts';
import { type Draw, simulateCampaign, type WorldKey, worlds } from './world.ts';

const levelNs = 15e6;

/** P(T > x) of Student's t with 3 degrees of freedom. */
const beyondStudent3 = (x: number) =>
  0.5 - (x / Math.sqrt(3) / (1 + x ** 2 / 3) + Math.atan(x / Math.sqrt(3))) / Math.PI;

/**
 * Share of all trials above 1.05 x the median of all. ln 1.05 is 1.626338805648 standard deviations of
 * 3 %; with 10, 30 and 45 % of trials 20 % slower the median is that of the fast ones but for a
 * hundredth, and no fast trial is slow.
 */
const trueShares: Partial<Record<WorldKey, number>> = {
  still: 0.0519381,
  student: beyondStudent3(Math.log(slowThreshold) / 0.02),
  slowTenth: 0.1,
  slowThird: 0.3,
  slowHalf: 0.45,
};

/**
 * The bounds of the share of slow trials: were they always given, and as they are given, which is not with
 * the flag of two speeds. A campaign without bounds has no wrong ones.
 */
export function countTailCoverage(task: Task, draw: Draw): Outcome {
  const design = { arms: 1, slots: 1, rounds: task.n, sd: task.sd! };
  const truth = trueShares[task.world]!;
  const tallies = createTallies();
  for (let i = 0; i < task.simulations; i++) {
    const [logs] = simulateCampaign(worlds[task.world], design, draw);
    const times = logs!.map((log) => Math.round(levelNs * Math.exp(log)));
    const { slowCount } = describeTail(times.map(BigInt))!;
    const { lower, upper } = proportionBounds(slowCount, task.n, level);
    const isCovered = lower <= truth && truth <= upper;
    const isGiven = !findTwoSpeeds(times)?.isTwoSpeed;
    tallies.add('always', isCovered);
    tallies.add('as given', isCovered || !isGiven);
    tallies.add('given', isGiven);
  }
  return tallies.outcome();
}
