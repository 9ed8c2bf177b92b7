import type { MeasuredDevice } from './measured-device.ts';
import { findGpuIndex, isNvidia } from './nvidia.ts';
import { listGpus } from './nvidia-smi.io.ts';

/**
 * A name of the physical device for its lock: CUDA0 is another GPU when CUDA_VISIBLE_DEVICES says so,
 * and one GPU has several names under several backends.
 */
export async function nameForLock(device: MeasuredDevice): Promise<string> {
  if (!isNvidia(device)) return device.name;
  const index = findGpuIndex(device, await listGpus(), process.env.CUDA_VISIBLE_DEVICES);
  return index === null ? device.name : `nvidia-${index}`;
}
