import { mean, squaredDeviations } from './mean.ts';

/** Kalibera & Jones (2013): variances at two levels, and how many repetitions a process pay. */
export interface Allocation {
  /** S1^2: mean variance inside a process; S2^2: variance of the process means. */
  withinVariance: number;
  betweenVariance: number;
  /** T2^2 = S2^2 - S1^2 / r. */
  betweenComponent: number;
  /** Optimal repetitions before rounding up; null when T2^2 <= 0. */
  optimalRepetitions: number | null;
}

/** Of one more repetition and of one more process without its kept repetitions, in one unit. */
export interface AllocationCosts {
  repetition: number;
  process: number;
}

/**
 * The variance that repetitions have inside a process, T1^2 = S1^2, and that processes have beyond
 * it, T2^2 = S2^2 - S1^2 / r, with ddof 1 at both levels; and the repetitions a process at which a
 * given hardware time estimates the mean best: r1 = sqrt((process / repetition) (T1^2 / T2^2)).
 * Assumes processes that are alike and independent, and repetitions that are steady and independent
 * inside one. T2^2 may come out zero or negative, when the processes differ no more than their
 * repetitions explain: the optimum is undefined then.
 * Source: Kalibera & Jones, Rigorous Benchmarking in Reasonable Time, ISMM 2013,
 * doi:10.1145/2464157.2464160.
 * @param processes kept repetitions of each process, the same number (>= 2) in each
 * @param costs of one more repetition and of one more process, in one unit, both positive
 * @returns null for fewer than 2 processes, fewer than 2 repetitions or different numbers of them
 */
export function allocateRepetitions(
  processes: readonly (readonly number[])[],
  costs: AllocationCosts,
): Allocation | null {
  const repetitions = processes[0]?.length ?? 0;
  if (processes.length < 2 || repetitions < 2) return null;
  if (processes.some(({ length }) => length !== repetitions)) return null;
  const withinVariance = mean(processes.map(variance));
  const betweenVariance = variance(processes.map(mean));
  const betweenComponent = betweenVariance - withinVariance / repetitions;
  const optimalRepetitions =
    betweenComponent > 0
      ? Math.sqrt((costs.process / costs.repetition) * (withinVariance / betweenComponent))
      : null;
  return { withinVariance, betweenVariance, betweenComponent, optimalRepetitions };
}

/** Of a count that is whole but for rounding, so that 9.000000000000002 stays 9. */
const roundingSlack = 1e-12;

/**
 * The cheapest counts that estimate the mean as precisely as now. The mean of n process means of r
 * repetitions each has the variance (T2^2 + S1^2 / r) / n. r is the optimum rounded up, and at least
 * 1; n the fewest processes whose variance is at most the present one. Where whole numbers make that
 * dearer than the present counts, those are returned, with a share of 1. Repetitions that do not
 * vary need 1 a process.
 * @param costs as in `allocateRepetitions` @param now the present counts
 * @returns `costShare`: n (process + r repetition) over the same of now; null without an optimum
 */
export function planSamePrecision(
  allocation: Allocation,
  costs: AllocationCosts,
  now: { processes: number; repetitions: number },
): { repetitions: number; processes: number; costShare: number } | null {
  const { optimalRepetitions, withinVariance, betweenComponent } = allocation;
  if (optimalRepetitions === null) return null;
  const varianceOfOne = (repetitions: number) => betweenComponent + withinVariance / repetitions;
  const costOfOne = (repetitions: number) => costs.process + repetitions * costs.repetition;
  const repetitions = Math.max(1, Math.ceil(optimalRepetitions * (1 - roundingSlack)));
  const needed = now.processes * (varianceOfOne(repetitions) / varianceOfOne(now.repetitions));
  const processes = Math.max(1, Math.ceil(needed * (1 - roundingSlack)));
  const costShare =
    (processes * costOfOne(repetitions)) / (now.processes * costOfOne(now.repetitions));
  return costShare <= 1 ? { repetitions, processes, costShare } : { ...now, costShare: 1 };
}

function variance(values: readonly number[]): number {
  return squaredDeviations(values) / (values.length - 1);
}
