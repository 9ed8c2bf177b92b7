import { setTimeout as sleep } from 'node:timers/promises';
import type { Protocol } from '../formats/protocol.ts';
import { parseCpuTime, shareCpuTime } from './cpu-time.ts';
import { createGpuReader } from './gpu-reader.io.ts';
import type { MeasuredDevice } from './measured-device.ts';
import { isNvidia } from './nvidia.ts';
import { readSystemText } from './system-text.io.ts';
import { waitForIdle } from './wait-for-idle.ts';

/** Milliseconds; 20 ticks of a CPU's clock, and longer than nvidia-smi's sampling period. */
const windowMs = 200;

/** @returns a bounded wait before a trial, giving the nanoseconds waited; none without a rule. */
export function createIdleWait(
  device: MeasuredDevice,
  rule: Protocol['idleWait'],
  signal: AbortSignal,
): () => Promise<number> {
  if (rule === null) return async () => 0;
  const readUtilisation = createUtilisationReader(device);
  return async () => {
    const { waitedNs } = await waitForIdle(rule, {
      readUtilisation,
      nowNs: () => process.hrtime.bigint(),
      stopped: () => signal.aborted,
    });
    return waitedNs;
  };
}

function createUtilisationReader(device: MeasuredDevice): () => Promise<number | null> {
  if (!isNvidia(device)) return device.type === 'cpu' ? readCpuUtilisation : async () => null;
  const readGpu = createGpuReader(device);
  return async () => {
    await sleep(windowMs);
    const state = await readGpu();
    const percent =
      'readings' in state ? Number.parseFloat(state.readings.utilisationPercent) : NaN;
    return Number.isNaN(percent) ? null : percent / 100;
  };
}

/** Busy share of all CPUs over one window; null where the kernel does not tell. */
async function readCpuUtilisation(): Promise<number | null> {
  const before = parseCpuTime(readSystemText('/proc/stat'));
  await sleep(windowMs);
  return shareCpuTime(before, parseCpuTime(readSystemText('/proc/stat')))?.busy ?? null;
}
