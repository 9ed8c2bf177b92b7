import { medianOfSorted } from '../stats/number-median.ts';
import type { ProcessSteps } from './steps-times.ts';

/**
 * The typical step at each place of a repetition: its median over the kept repetitions of a process,
 * and of these the median over the processes. Empty without a process.
 */
export function profileSteps(processes: readonly ProcessSteps[], steps: number): number[] {
  if (processes.length === 0) return [];
  return Array.from({ length: steps }, (_, step) => {
    return medianOfSorted(mediansAt(processes, steps, step))!;
  });
}

/** Median step at one place of a repetition, from 0, in each of the processes; ascending. */
export function mediansAt(
  processes: readonly ProcessSteps[],
  steps: number,
  step: number,
): Float64Array {
  const medians = processes.map(({ stepNs }) => {
    const ofPlace = new Float64Array(stepNs.length / steps);
    for (let at = 0; at < ofPlace.length; at++) ofPlace[at] = stepNs[at * steps + step]!;
    return medianOfSorted(ofPlace.sort())!;
  });
  return Float64Array.from(medians).sort();
}
