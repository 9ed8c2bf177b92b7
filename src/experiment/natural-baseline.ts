import { medianOfNumbers } from '../stats/number-median.ts';
import type { Timing } from '../stats/slow-repetition.ts';
import { slowThreshold } from '../stats/tail.ts';
import type { ArmData } from './collect.ts';

/**
 * Medians of elapsed and main-thread CPU time over the kept repetitions of all processes of one arm in
 * one condition: what is usual for this work, and for no other. null without any.
 */
export function findBaseline({ processes, kept }: ArmData): Timing | null {
  const repetitions = processes.flatMap((run) =>
    run.state === 'observed' ? run.entry.repetitions.slice(-kept) : [],
  );
  const elapsed = medianOfNumbers(repetitions.map(({ wallNs }) => wallNs));
  const cpu = repetitions.flatMap(({ counters }) => counters?.mainCpuNs ?? []);
  if (elapsed === null) return null;
  const isWhole = cpu.length === repetitions.length;
  return { elapsed, cpu: isWhole ? medianOfNumbers(cpu) : null };
}

/** By more than 5 %, as v1's stable flag. */
export const isSlowBeside = (wallNs: number, baselineNs: number): boolean =>
  wallNs > slowThreshold * baselineNs;
