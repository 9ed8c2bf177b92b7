import { type Fault, RooflawError } from '../errors.ts';
import type { Execution } from '../formats/protocol.ts';
import type { RunnerDescription } from '../formats/trial.ts';

export type BackendDevice = RunnerDescription['devices'][number];

/**
 * The device that was asked for; without a wish the only GPU, or the CPU when there is none.
 * @throws RooflawError `device-unusable` naming what there is.
 */
export function chooseDevice(
  description: RunnerDescription,
  wish: string | undefined,
): BackendDevice {
  const { devices } = description;
  const names = devices.map(({ name }) => name).join(', ');
  if (wish !== undefined) {
    const device = devices.find(({ name }) => name === wish);
    if (device !== undefined) return device;
    throw new RooflawError('device-unusable', `this backend has no device "${wish}"`, {
      hint: `it has: ${names}`,
    });
  }
  const gpus = devices.filter(({ type }) => type === 'gpu' || type === 'igpu');
  if (gpus.length > 1) {
    throw new RooflawError('device-unusable', 'there are several GPUs', {
      hint: `name one with --device: ${names}`,
    });
  }
  const device = gpus[0] ?? devices.find(({ type }) => type === 'cpu');
  if (device !== undefined) return device;
  throw new RooflawError('device-unusable', 'this backend has no device that can be measured', {
    hint: `it has: ${names === '' ? 'none' : names}`,
  });
}

/**
 * More threads than CPUs wait for each other at every step of the model: hundreds of times slower.
 * @param name of the protocol or variant with this execution
 * @param quota CPUs' worth of time that a container grants, or null.
 * @throws RooflawError `device-unusable`
 */
export function refuseTooManyThreads(
  name: string,
  { threads, threadsBatch, affinity }: Execution,
  { allowedCpus }: RunnerDescription,
  quota: number | null,
): void {
  const wanted = Math.max(threads, threadsBatch);
  const faults: Fault[] = [];
  const refuse = (what: string, hint: string) => faults.push({ where: 'execution', what, hint });
  const fewer =
    'use a protocol with fewer threads (v1-cpu2 is v1 with 2), or a machine with more CPUs';
  if (allowedCpus !== null && wanted > allowedCpus.length) {
    refuse(`${wanted} threads, but this process may use ${allowedCpus.length} CPUs`, fewer);
  } else if (quota !== null && wanted > quota) {
    refuse(`${wanted} threads, but this container is granted the time of ${quota} CPUs`, fewer);
  }
  const missing =
    Array.isArray(affinity) && allowedCpus !== null
      ? affinity.filter((cpu) => !allowedCpus.includes(cpu))
      : [];
  if (missing.length > 0) {
    refuse(
      `CPU ${missing.join(', ')} cannot be used here`,
      `this process may use CPU ${allowedCpus?.join(', ')}`,
    );
  }
  if (faults.length === 0) return;
  throw new RooflawError('device-unusable', `this machine cannot run ${name}`, {
    faults,
  });
}
