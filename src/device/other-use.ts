import type { DeviceState } from '../formats/ledger.ts';

/** Inode of the first PID namespace, the same on every Linux (PROC_PID_INIT_INO). */
const firstPidNamespace = 'pid:[4026531836]';

/** @param pidNamespace target of the link `/proc/self/ns/pid`. */
export function isFirstPidNamespace(pidNamespace: string | null): boolean {
  return pidNamespace === firstPidNamespace;
}

/**
 * Work of others on the CPUs at this moment. `/proc/loadavg` counts what runs or is ready to run on
 * the whole machine, this process with it. In a container the count may be of the container alone,
 * so that seeing none there tells nothing.
 * @param loadAverage `/proc/loadavg`, such as `0.00 0.09 0.08 4/103 5031`.
 */
export function judgeCpuUse(
  loadAverage: string | null,
  pidNamespace: string | null,
): DeviceState['otherUse'] {
  const running = /^\S+ \S+ \S+ (\d+)\//.exec(loadAverage ?? '')?.[1];
  if (running === undefined) return 'not-visible';
  const ourselves = 1;
  if (Number(running) > ourselves) return 'seen';
  return isFirstPidNamespace(pidNamespace) ? 'not-seen' : 'not-visible';
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
