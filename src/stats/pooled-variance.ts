import { mean, squaredDeviations } from './mean.ts';

/** How repetitions vary inside processes and processes beyond that, from unequal numbers of them. */
export interface ProcessVariance {
  processes: number;
  /** n0: the number of repetitions a process that the variance of process means belongs to. */
  meanRepetitions: number;
  /** Mean square inside processes; null when none has two repetitions. */
  withinVariance: number | null;
  withinDegrees: number;
  /** Variance of a process mean of n0 repetitions; null for fewer than two processes. */
  meansVariance: number | null;
  /** What processes have beyond their repetitions, 0 when negative; null when either is null. */
  betweenComponent: number | null;
}

/**
 * Variance components of one-way random effects from unequal numbers, by the usual ANOVA estimators:
 * n0 = (N - sum n_i^2 / N) / (k - 1), meansVariance = MSB / n0 and
 * betweenComponent = max(0, meansVariance - withinVariance / n0). For equal numbers these are S1^2,
 * S2^2 and T2^2 of `allocateRepetitions`. Assumes repetitions that are steady and independent inside
 * a process and vary alike in all.
 * Source: Searle, Casella & McCulloch, Variance Components (1992), 3.6.
 * @param processes steady repetitions of each process, at least one process and one each
 */
export function separateProcesses(processes: readonly (readonly number[])[]): ProcessVariance {
  const all = processes.flat();
  const k = processes.length;
  const withinDegrees = all.length - k;
  const withinVariance =
    withinDegrees === 0 ? null : sum(processes.map(squaredDeviations)) / withinDegrees;
  if (k < 2) {
    const known = { processes: k, meanRepetitions: all.length, withinVariance, withinDegrees };
    return { ...known, meansVariance: null, betweenComponent: null };
  }
  const meanRepetitions =
    (all.length - sum(processes.map(({ length }) => length ** 2)) / all.length) / (k - 1);
  const centre = mean(all);
  const squaresBetween = sum(processes.map((group) => group.length * (mean(group) - centre) ** 2));
  const meansVariance = squaresBetween / (k - 1) / meanRepetitions;
  const betweenComponent =
    withinVariance === null ? null : Math.max(0, meansVariance - withinVariance / meanRepetitions);
  return {
    processes: k,
    meanRepetitions,
    withinVariance,
    withinDegrees,
    meansVariance,
    betweenComponent,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
