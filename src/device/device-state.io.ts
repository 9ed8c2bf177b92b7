import type { DeviceState } from '../formats/ledger.ts';
import { parseCpuTime } from './cpu-time.ts';
import { createGpuReader } from './gpu-reader.io.ts';
import { createLinuxReader } from './linux-reader.io.ts';
import type { MeasuredDevice } from './measured-device.ts';
import { isNvidia } from './nvidia.ts';
import { type CpuUse, judgeCpuUse, judgeGpuUse, parseOwnTicks } from './other-use.ts';
import { readPidNamespace } from './pid-namespace.io.ts';
import { readSystemText } from './system-text.io.ts';

export interface DeviceStateReader {
  /** Never throws: what cannot be read is recorded as absent. */
  read(): Promise<DeviceState>;
}

type Observation = Omit<DeviceState, 'readNs'>;

/**
 * A reader of a device's state at the boundaries of trials: one call of nvidia-smi for an NVIDIA
 * GPU, files of the kernel for a CPU on Linux, nothing elsewhere. The use by others is that of the
 * moment on a GPU, and that since the last reading on a CPU: during the trial, after it.
 */
export async function createDeviceStateReader(
  device: MeasuredDevice,
  { nvidiaSmiLimitMs }: { nvidiaSmiLimitMs?: number } = {},
): Promise<DeviceStateReader> {
  const observe = await chooseObservation(device, nvidiaSmiLimitMs);
  return {
    async read() {
      const began = process.hrtime.bigint();
      const observation = await observe();
      return { ...observation, readNs: Number(process.hrtime.bigint() - began) };
    },
  };
}

async function chooseObservation(
  device: MeasuredDevice,
  nvidiaSmiLimitMs?: number,
): Promise<() => Promise<Observation>> {
  if (isNvidia(device)) {
    const readGpu = createGpuReader(device, nvidiaSmiLimitMs);
    await readGpu(); // the first query may start the driver, which takes seconds
    return async () => {
      const state = await readGpu();
      if ('absent' in state) return unknown(state.absent, state.why);
      const { readings } = state;
      return { source: 'nvidia-smi', readings, otherUse: judgeGpuUse(readings.memoryUsedMiB) };
    };
  }
  if (device.type === 'cpu' && process.platform === 'linux') {
    const readLinux = createLinuxReader();
    const pidNamespace = readPidNamespace();
    let last = readCpuUse();
    return async () => {
      const readings = readLinux();
      const now = readCpuUse();
      const { otherUse, ticks } = judgeCpuUse(last, now, pidNamespace);
      last = now;
      const cpuTicksOfOthers = ticks === null ? 'absent' : `${ticks.others} of ${ticks.total}`;
      return { source: 'linux', readings: { ...readings, cpuTicksOfOthers }, otherUse };
    };
  }
  return async () => unknown('no reader for this device and system');
}

function readCpuUse(): CpuUse | null {
  const machine = parseCpuTime(readSystemText('/proc/stat'));
  const ownTicks = parseOwnTicks(readSystemText('/proc/self/stat'));
  return machine === null || ownTicks === null ? null : { machine, ownTicks };
}

function unknown(absent: string, why: string | null = null): Observation {
  const readings = { absent, ...(why === null ? {} : { why }) };
  return { source: 'none', readings, otherUse: 'not-visible' };
}
