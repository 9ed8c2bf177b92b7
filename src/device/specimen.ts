import { sha256Hex } from '../hash.ts';

/** Machine ids as systemd writes them (machine-id(5)): 32 hexadecimal digits, not all alike. */
const machineId = /^(?!(.)\1{31})[0-9a-f]{32}$/;
/** UUIDs of SMBIOS (DSP0134, 7.2.1): all 0 and all F mean that there is none. */
const uuid = /^(?![0-]+$|[f-]+$)[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const gpuUuid = /^(GPU|MIG)-[0-9a-f-]{36}$/;

/** Text of the files and tools that name one specimen of a device; null where they are missing. */
export interface SpecimenNames {
  gpuUuid: string | null;
  machineId: string | null;
  productUuid: string | null;
}

/**
 * Tells one specimen from another of the same kind without naming it: SHA-256 of
 * `rooflaw-specimen/` and the identifier of the GPU, or of the machine for its CPU. A machine id that
 * came with the image of a container is the same on every machine that runs the image.
 * @returns null when there is none that can be trusted
 */
export function hashSpecimen(kind: 'gpu' | 'cpu', names: SpecimenNames): string | null {
  const identifier =
    kind === 'gpu'
      ? take(names.gpuUuid, gpuUuid)
      : (take(names.machineId, machineId) ?? take(names.productUuid, uuid));
  return identifier === null ? null : sha256Hex(`rooflaw-specimen/${identifier}`);
}

function take(text: string | null, pattern: RegExp): string | null {
  const trimmed = text?.trim() ?? '';
  return pattern.test(trimmed) ? trimmed : null;
}
