import type { MeasuredDevice } from './measured-device.ts';
import { findGpuIndex, isNvidia } from './nvidia.ts';
import { listGpus } from './nvidia-smi.io.ts';
import { hashSpecimen } from './specimen.ts';
import { readSystemText } from './system-text.io.ts';

/** Hash of what tells this very device from others of its kind, or null where nothing does. */
export async function readSpecimen(device: MeasuredDevice): Promise<string | null> {
  const none = { gpuUuid: null, machineId: null, productUuid: null };
  if (device.type === 'cpu') {
    return hashSpecimen('cpu', {
      ...none,
      machineId: readSystemText('/etc/machine-id'),
      productUuid: readSystemText('/sys/class/dmi/id/product_uuid'),
    });
  }
  if (!isNvidia(device)) return null;
  const gpus = await listGpus();
  const index = findGpuIndex(device, gpus, process.env.CUDA_VISIBLE_DEVICES);
  const gpu = gpus.find((listed) => listed.index === index);
  return hashSpecimen('gpu', { ...none, gpuUuid: gpu?.uuid ?? null });
}
