import type { TokenItem } from '../formats/token-analysis.ts';
import { timeAcross } from './steps-across.ts';
import { mediansAt } from './steps-profile.ts';
import type { ProcessSteps } from './steps-times.ts';

/** How far the processes lie apart at each place of a repetition, in ns; empty without a process. */
export interface StepBand {
  lowerNs: number[];
  upperNs: number[];
  /**
   * Of the median over processes, at each place by itself; null with too few processes for an
   * interval: then the ends are the fastest and the slowest process at that place.
   */
  coverage: number | null;
}

/** The band around `profileNs`. @param stepsOf the timed steps by trial */
export function bandSteps(
  { processes, steps }: Pick<TokenItem, 'processes' | 'steps'>,
  stepsOf: ReadonlyMap<number, ProcessSteps>,
): StepBand {
  const timed = processes.map(({ trial }) => stepsOf.get(trial)!);
  const band: StepBand = { lowerNs: [], upperNs: [], coverage: null };
  for (let step = 0; step < (timed.length === 0 ? 0 : steps); step++) {
    const medians = mediansAt(timed, steps, step);
    const interval = timeAcross([...medians])!.interval;
    band.lowerNs.push(interval?.lowerNs ?? medians[0]!);
    band.upperNs.push(interval?.upperNs ?? medians.at(-1)!);
    band.coverage = interval?.coverage ?? null;
  }
  return band;
}
