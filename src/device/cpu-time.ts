/** CPU time of all CPUs since boot, in clock ticks. */
export interface CpuTime {
  busyTicks: number;
  /** Time that a hypervisor gave to others while this machine wanted to run. */
  stolenTicks: number;
  totalTicks: number;
}

/**
 * Reads the first line of `/proc/stat` (proc_stat(5)): user, nice, system, idle, iowait, irq,
 * softirq, steal; guest time is part of user time.
 * @returns null for any other text.
 */
export function parseCpuTime(stat: string | null): CpuTime | null {
  const match = /^cpu\s+([\d ]+)/.exec(stat ?? '');
  if (match === null) return null;
  const ticks = match[1]!.trim().split(/ +/).map(Number).slice(0, 8);
  const totalTicks = ticks.reduce((sum, value) => sum + value, 0);
  const idleTicks = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  return { busyTicks: totalTicks - idleTicks, stolenTicks: ticks[7] ?? 0, totalTicks };
}

/** Shares of the time between two readings, 0 to 1; null when no tick passed. */
export function shareCpuTime(
  before: CpuTime | null,
  after: CpuTime | null,
): { busy: number; stolen: number } | null {
  if (before === null || after === null) return null;
  const ticks = after.totalTicks - before.totalTicks;
  if (ticks <= 0) return null;
  const share = (of: 'busyTicks' | 'stolenTicks') =>
    Math.min(1, Math.max(0, (after[of] - before[of]) / ticks));
  return { busy: share('busyTicks'), stolen: share('stolenTicks') };
}
