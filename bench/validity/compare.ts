import betaincinv from '@stdlib/math-base-special-betaincinv';
import { mean, squaredDeviations } from '../../src/stats/mean.ts';
import { pairedInterval } from '../../src/stats/paired-interval.ts';
import { estimateRoundEffects } from '../../src/stats/round-effects.ts';
import type { Task } from './study.ts';
import { type Draw, simulateCampaign, usualSd, worlds } from './world.ts';

export const level = 0.95;

/** The log times of the two arms that are compared, as `rooflaw compare` prepares them. */
export function simulatePair(task: Task, draw: Draw): { a: number[]; b: number[] } {
  const logs = simulateCampaign(
    worlds[task.world],
    { arms: task.arms, slots: task.arms, rounds: task.n, sd: task.sd ?? usualSd },
    draw,
  );
  const effects = estimateRoundEffects(logs.slice(2)) ?? logs[0]!.map(() => 0);
  const [a, b] = [logs[0]!, logs[1]!].map((arm) => arm.map((log, r) => log - effects[r]!));
  return { a: a!, b: b!.map((log) => log + Math.log1p(task.difference ?? 0)) };
}

/** Two order-statistic intervals of the arms' medians that do not touch. */
export function intervalsAreDisjoint(a: readonly number[], b: readonly number[]): boolean {
  const [first, second] = [pairedInterval(a, level)!, pairedInterval(b, level)!];
  return first.upper < second.lower || second.upper < first.lower;
}

/** Welch's unpaired t at 5 %, two-sided. */
export function welchRejects(a: readonly number[], b: readonly number[]): boolean {
  const [u, v] = [a, b].map((x) => squaredDeviations(x) / (x.length - 1) / x.length) as [
    number,
    number,
  ];
  const df = (u + v) ** 2 / (u ** 2 / (a.length - 1) + v ** 2 / (b.length - 1));
  // P(|T| > t) = I_x(df/2, 1/2) with x = df/(df + t^2).
  const critical = df * (1 / betaincinv(1 - level, df / 2, 0.5) - 1);
  return (mean(a) - mean(b)) ** 2 / (u + v) > critical;
}
