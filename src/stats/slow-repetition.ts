import { fractionOfDecimal } from './fraction.ts';
import { slowThreshold } from './tail.ts';

/** Elapsed time and CPU time of the main thread, in one unit. */
export interface Timing {
  elapsed: number;
  cpu: number | null;
}

export type SlowKind =
  | 'not-slow'
  | 'cpu-time-grew'
  | 'time-off-cpu-grew'
  | 'mixed'
  | 'invalid'
  | 'not-measured';

/** As whole numbers, so that times in whole ns are compared exactly. */
const slow = fractionOfDecimal(slowThreshold);
const slowOver = Number(slow.denominator);
const slowTimes = Number(slow.numerator);

/**
 * Shares of the extra time, in tenths, from which on and up to which it counts as one kind alone.
 * Chosen, not estimated: two thirds to one third leaves room for both to grow, `mixed`.
 */
const mostlyCpuTenths = 7;
const mostlyOffCpuTenths = 3;

/**
 * Whether a repetition is slow against its item's baseline, and which of its times grew. With the
 * baseline (e0, c0), medians of elapsed and main-thread CPU time, it is slow if e > 1.05 e0, and
 * share = (c - c0) / (e - e0): at least .7 CPU time grew, at most .3 time off the CPU grew, between
 * them both did. One thread cannot use more CPU time than has elapsed: c > e + tolerance, in either
 * timing, is `invalid`. A slow repetition without both CPU times is `not-measured`. Time off the CPU
 * is not called scheduling: waiting for a device, a lock or a page looks the same.
 * @param tolerance by which the two clocks may disagree, in the unit of the times
 * @returns share null unless the repetition is slow and was measured; may lie outside 0 to 1
 */
export function classifySlowRepetition(
  baseline: Timing,
  repetition: Timing,
  tolerance: number,
): { kind: SlowKind; share: number | null } {
  const isImpossible = ({ elapsed, cpu }: Timing) => cpu !== null && cpu > elapsed + tolerance;
  if (isImpossible(baseline) || isImpossible(repetition)) return { kind: 'invalid', share: null };
  if (!(repetition.elapsed * slowOver > baseline.elapsed * slowTimes)) {
    return { kind: 'not-slow', share: null };
  }
  if (baseline.cpu === null || repetition.cpu === null)
    return { kind: 'not-measured', share: null };
  const extra = repetition.elapsed - baseline.elapsed;
  const extraCpu = repetition.cpu - baseline.cpu;
  const share = extraCpu / extra;
  if (10 * extraCpu >= mostlyCpuTenths * extra) return { kind: 'cpu-time-grew', share };
  if (10 * extraCpu <= mostlyOffCpuTenths * extra) return { kind: 'time-off-cpu-grew', share };
  return { kind: 'mixed', share };
}

/** Elapsed less CPU time of the main thread, in the unit of both; null when not measured. */
export function timeOffCpu({ elapsed, cpu }: Timing): number | null {
  return cpu === null ? null : elapsed - cpu;
}

/**
 * How much of the recovery that a decode brings after a pause is brought by another activity:
 * (sleep - activity) / (sleep - decode), of times of the same work measured after each. 0: nothing,
 * 1: all of it; outside of that when the activity did harm or more. null when nothing recovers.
 */
export function recoveryFraction(
  afterSleep: number,
  afterActivity: number,
  afterDecode: number,
): number | null {
  const recovered = afterSleep - afterDecode;
  return recovered === 0 ? null : (afterSleep - afterActivity) / recovered;
}
