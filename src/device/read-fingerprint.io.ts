import { cpus, release, totalmem, type, version } from 'node:os';
import type { Fingerprint } from '../formats/ledger.ts';
import { describeCpu, parsePrettyName } from './machine-names.ts';
import type { MeasuredDevice } from './measured-device.ts';
import { isNvidia } from './nvidia.ts';
import { queryGpus } from './nvidia-smi.io.ts';
import { readSystemText } from './system-text.io.ts';

/** What this machine is: no name, address, serial number or user of it. */
export async function readFingerprint(device: MeasuredDevice): Promise<Fingerprint> {
  const processors = cpus();
  return {
    device: device.name,
    deviceDescription: device.description,
    deviceMemoryBytes: device.memoryBytes === 0 ? null : device.memoryBytes,
    driver: isNvidia(device) ? await readNvidiaDriver() : null,
    cpuModel: describeCpu(readSystemText('/proc/cpuinfo'), processors[0]?.model),
    cpuCount: Math.max(1, processors.length),
    memoryBytes: totalmem(),
    operatingSystem: parsePrettyName(readSystemText('/etc/os-release')) ?? `${type()} ${version()}`,
    kernel: release(),
  };
}

/** One driver serves all GPUs of a machine; warnings may stand beside its version. */
async function readNvidiaDriver(): Promise<string | null> {
  return /^\d[\w.-]{0,63}$/m.exec((await queryGpus(['driver_version'])) ?? '')?.[0] ?? null;
}
