import type { DeviceState } from '../formats/ledger.ts';
import type { CpuTime } from './cpu-time.ts';

/** Inode of the first PID namespace, the same on every Linux (PROC_PID_INIT_INO). */
const firstPidNamespace = 'pid:[4026531836]';

/** @param pidNamespace target of the link `/proc/self/ns/pid`. */
export function isFirstPidNamespace(pidNamespace: string | null): boolean {
  return pidNamespace === firstPidNamespace;
}

/** CPU time of the whole machine and of this process with its ended children, in clock ticks. */
export interface CpuUse {
  machine: CpuTime;
  ownTicks: number;
}

/** Ticks of 10 ms; the kernel samples the machine's time, so that a few can be off either way. */
const leastTicks = 5;
/** Of all CPUs' time; below it stand the kernel's own chores. */
const leastShare = 0.03;

/**
 * Work of others on the CPUs between two readings: what the machine was busy with beyond this
 * process and the children that it waited for, time stolen by a hypervisor included. In a container
 * the kernel may count the container alone, so that seeing none there tells nothing.
 * @returns beside the verdict the ticks of others among all that passed, null where it cannot be told.
 */
export function judgeCpuUse(
  before: CpuUse | null,
  after: CpuUse | null,
  pidNamespace: string | null,
): { otherUse: DeviceState['otherUse']; ticks: { others: number; total: number } | null } {
  if (before === null || after === null) return { otherUse: 'not-visible', ticks: null };
  const total = after.machine.totalTicks - before.machine.totalTicks;
  const busyTicks = after.machine.busyTicks - before.machine.busyTicks;
  const others = Math.max(0, busyTicks - (after.ownTicks - before.ownTicks));
  const seen = others >= leastTicks && others >= leastShare * total;
  const notSeen = isFirstPidNamespace(pidNamespace) ? 'not-seen' : 'not-visible';
  return { otherUse: seen ? 'seen' : notSeen, ticks: { others, total } };
}

/**
 * Ticks of a process and of its ended children.
 * @param stat `/proc/self/stat` (proc_pid_stat(5)): fields 14 to 17, the name in parentheses skipped.
 */
export function parseOwnTicks(stat: string | null): number | null {
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).map(Number);
  return ticks.length === 4 && ticks.every(Number.isInteger)
    ? ticks.reduce((sum, value) => sum + value, 0)
    : null;
}

/** MiB; an idle H200 reports 0 to 4, one with an empty CUDA context 527 (driver 580). */
const idleGpuMemory = 128;

/**
 * Work of others on a GPU while none of ours runs there. The memory in use is of the whole device,
 * in a container too; the utilisation would be that of our own last trial.
 */
export function judgeGpuUse(memoryUsedMiB: string | undefined): DeviceState['otherUse'] {
  const used = Number.parseFloat(memoryUsedMiB ?? '');
  if (Number.isNaN(used)) return 'not-visible';
  return used > idleGpuMemory ? 'seen' : 'not-seen';
}
