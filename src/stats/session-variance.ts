import { mean, squaredDeviations } from './mean.ts';

/** Sessions as blocks: one-way random effects on log times of one item. */
export interface SessionVariance {
  sessions: number;
  trials: number;
  /** Variance components of log time; the session's may come out negative and is then 0 and said so. */
  withinComponent: number;
  sessionComponent: number;
  isSessionNegative: boolean;
  /** sessionComponent / (sessionComponent + withinComponent). */
  sessionShare: number;
}

/**
 * How much of the variance of log times lies between sessions (days, starts of the system): the
 * ANOVA estimator of the one-way random effects model y_ij = m + b_i + e_ij, unbalanced:
 * s_within = MSW, s_session = (MSB - MSW) / n0 with n0 = (N - sum n_i^2 / N) / (k - 1). A component
 * of log time is about a squared fraction of the time. Assumes that trials are independent inside a
 * session and vary alike in all; few sessions say little about the variance between them.
 * Sessions without trials are left out, those with one count for the variance between only.
 * Source: Searle, Casella & McCulloch, Variance Components (1992), 3.6.
 * @param sessions positive times of each session
 * @returns null for fewer than 2 sessions with 2 trials, and when all times are equal: there is no
 * variance to share
 */
export function separateSessions(sessions: readonly (readonly number[])[]): SessionVariance | null {
  const groups = sessions.filter(({ length }) => length > 0).map((times) => times.map(Math.log));
  if (groups.filter(({ length }) => length >= 2).length < 2) return null;
  const all = groups.flat();
  if (all.every((value) => value === all[0])) return null;
  const squaresWithin = sum(groups.map(squaredDeviations));
  const centre = mean(all);
  const squaresBetween = sum(groups.map((group) => group.length * (mean(group) - centre) ** 2));
  const withinComponent = squaresWithin / (all.length - groups.length);
  const meanSize =
    (all.length - sum(groups.map(({ length }) => length ** 2)) / all.length) / (groups.length - 1);
  const estimate = (squaresBetween / (groups.length - 1) - withinComponent) / meanSize;
  const sessionComponent = Math.max(0, estimate);
  return {
    sessions: groups.length,
    trials: all.length,
    withinComponent,
    sessionComponent,
    isSessionNegative: estimate < 0,
    sessionShare: sessionComponent / (sessionComponent + withinComponent),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
