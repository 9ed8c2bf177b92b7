import { readlinkSync } from 'node:fs';
import type { DeviceState } from '../formats/ledger.ts';
import { createGpuReader } from './gpu-reader.io.ts';
import { createLinuxReader } from './linux-reader.io.ts';
import type { MeasuredDevice } from './measured-device.ts';
import { isNvidia } from './nvidia.ts';
import { judgeCpuUse, judgeGpuUse } from './other-use.ts';

export interface DeviceStateReader {
  /** Never throws: what cannot be read is recorded as absent. */
  read(): Promise<DeviceState>;
}

type Observation = Omit<DeviceState, 'readNs'>;

/**
 * A reader of a device's state at the boundaries of trials: one call of nvidia-smi for an NVIDIA
 * GPU, files of the kernel for a CPU on Linux, nothing elsewhere.
 */
export async function createDeviceStateReader(device: MeasuredDevice): Promise<DeviceStateReader> {
  const observe = await chooseObservation(device);
  return {
    async read() {
      const began = process.hrtime.bigint();
      const observation = await observe();
      return { ...observation, readNs: Number(process.hrtime.bigint() - began) };
    },
  };
}

async function chooseObservation(device: MeasuredDevice): Promise<() => Promise<Observation>> {
  if (isNvidia(device)) {
    const readGpu = await createGpuReader(device);
    if (readGpu === null) return async () => unknown('no GPU of nvidia-smi could be matched');
    return async () => {
      const readings = await readGpu();
      if (readings === null) return unknown('nvidia-smi did not answer');
      const otherUse = judgeGpuUse(readings.memoryUsedMiB);
      return { source: 'nvidia-smi', readings, otherUse };
    };
  }
  if (device.type === 'cpu' && process.platform === 'linux') {
    const readLinux = createLinuxReader();
    const pidNamespace = readPidNamespace();
    return async () => {
      const readings = readLinux();
      const otherUse = judgeCpuUse(readings.loadAverage, pidNamespace);
      return { source: 'linux', readings, otherUse };
    };
  }
  return async () => unknown('no reader for this device and system');
}

function unknown(reason: string): Observation {
  return { source: 'none', readings: { absent: reason }, otherUse: 'not-visible' };
}

export function readPidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}
