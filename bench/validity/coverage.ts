import { shiftInterval } from '../../src/stats/mann-whitney.ts';
import { medianInterval } from '../../src/stats/median-interval.ts';
import { medianOfNumbers } from '../../src/stats/number-median.ts';
import { pairedInterval } from '../../src/stats/paired-interval.ts';
import { randomisationInterval } from '../../src/stats/randomisation-test.ts';
import { walshInterval } from '../../src/stats/signed-rank.ts';
import { simultaneousInterval } from '../../src/stats/simultaneous-interval.ts';
import { level, simulatePair } from './compare.ts';
import { createTallies, type Outcome, type Task } from './study.ts';
import { type Draw, simulateCampaign, usualSd, type World, worlds } from './world.ts';

/** The ratio that the simulated arms really have; nothing depends on its size. */
export const trueDifference = 0.02;

const medianOf = (sizes: number[]) => medianOfNumbers(sizes)!;
const covers = (interval: { lower: number; upper: number }, value: number) =>
  interval.lower <= value && value <= interval.upper;

/** Ratio intervals of `rooflaw compare` against the ratio of the arms' medians. */
export function countRatioCoverage(task: Task, draw: Draw): Outcome {
  const world: World = worlds[task.world];
  const spikesOfOne = world.noiseOfB === undefined ? 0 : world.medianNoise * usualSd;
  const truth = Math.log1p(trueDifference) - spikesOfOne;
  const tallies = createTallies();
  const add = (method: string, interval: { lower: number; upper: number }) =>
    tallies.add(method, covers(interval, truth), Math.expm1(interval.upper - interval.lower));
  // The interval of the test is the slowest by far.
  const everyFor = { 6: 1, 10: 2, 20: 4 }[task.n] ?? 1;
  for (let i = 0; i < task.simulations; i++) {
    const { a, b } = simulatePair({ ...task, difference: trueDifference }, draw);
    if (i % everyFor === 0) add('randomisation', randomisationInterval(a, b, level)!);
    if (task.arms > 2) continue;
    const ratios = a.map((log, round) => b[round]! - log);
    add('paired', pairedInterval(ratios, level)!);
    add('Hodges-Lehmann', shiftInterval(a, b, level)!);
    add('Walsh', walshInterval(ratios, level)!);
  }
  return tallies.outcome(medianOf);
}

/** ns of a trial of 15 ms. */
const levelNs = 15e6;
const toNs = (log: number) => BigInt(Math.round(levelNs * Math.exp(log)));

/** One item's interval in a campaign of 24, against its median here and without disturbance. */
export function countOneSampleCoverage(task: Task, draw: Draw): Outcome {
  const world = worlds[task.world];
  const undisturbed = world.medianNoise * usualSd;
  const design = { arms: 1, slots: task.arms, rounds: task.n, sd: usualSd };
  const tallies = createTallies();
  for (let i = 0; i < task.simulations; i++) {
    const [logs] = simulateCampaign(world, design, draw);
    const { lower, upper } = medianInterval(logs!.map(toNs), level)!;
    const interval = { lower: Number(lower), upper: Number(upper) };
    const width = interval.upper / interval.lower - 1;
    // Drift and slots are symmetric about their middles, and the campaign's mean is theirs.
    const here = undisturbed + (world.drift + world.slotEffect) / 2;
    tallies.add('here', covers(interval, levelNs * Math.exp(here)), width);
    tallies.add('undisturbed', covers(interval, levelNs * Math.exp(undisturbed)), width);
  }
  return tallies.outcome(medianOf);
}

/** All of a campaign's simultaneous intervals at once. */
export function countJointCoverage(task: Task, draw: Draw): Outcome {
  const world = worlds[task.world];
  const design = { arms: task.arms, slots: task.arms, rounds: task.n, sd: usualSd };
  const truth =
    levelNs * Math.exp(world.medianNoise * usualSd + (world.drift + world.slotEffect) / 2);
  const tallies = createTallies();
  for (let i = 0; i < task.simulations; i++) {
    const areAll = simulateCampaign(world, design, draw).every((logs) => {
      const { lower, upper } = simultaneousInterval(logs.map(toNs), task.arms, level)!;
      return Number(lower) <= truth && truth <= Number(upper);
    });
    tallies.add('joint', areAll);
  }
  return tallies.outcome(medianOf);
}
