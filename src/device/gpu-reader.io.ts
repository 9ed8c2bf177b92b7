import type { MeasuredDevice } from './measured-device.ts';
import {
  findGpuIndex,
  formerStateQuery,
  type GpuReading,
  parseStateLine,
  stateQuery,
} from './nvidia.ts';
import { listGpus, queryGpus } from './nvidia-smi.io.ts';

/** Reads the state of one GPU; null when this once it could not be read. */
export type GpuReader = () => Promise<Record<GpuReading, string> | null>;

/**
 * Finds the GPU that a device is and the names its driver knows.
 * @returns null when nvidia-smi is missing or it cannot be told which of its GPUs this is.
 */
export async function createGpuReader(device: MeasuredDevice): Promise<GpuReader | null> {
  const index = findGpuIndex(device, await listGpus(), process.env.CUDA_VISIBLE_DEVICES);
  if (index === null) return null;
  for (const query of [stateQuery, formerStateQuery]) {
    const read = async () => parseStateLine((await queryGpus(query, index)) ?? '');
    if ((await read()) !== null) return read;
  }
  return null;
}
