import { type Fault, RooflawError, throwFaults } from '../errors.ts';
import type { Protocol } from '../formats/protocol.ts';
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

/** More threads than CPUs wait for each other: 3 on 2 CPUs were 600 times slower. */
export function refuseTooManyThreads(protocol: Protocol, description: RunnerDescription): void {
  const { threads, threadsBatch, affinity } = protocol.execution;
  const allowed = description.allowedCpus;
  if (allowed === null) return;
  const faults: Fault[] = [];
  for (const [field, wanted] of Object.entries({ threads, threadsBatch })) {
    if (wanted <= allowed.length) continue;
    faults.push({
      where: `protocol.execution.${field}`,
      what: `${wanted} threads, but this process may use ${allowed.length} CPUs`,
      hint: 'use a protocol with fewer threads (v1-cpu2 is v1 with 2), or a machine with more CPUs',
    });
  }
  if (Array.isArray(affinity)) {
    const missing = affinity.filter((cpu) => !allowed.includes(cpu));
    if (missing.length > 0) {
      faults.push({
        where: 'protocol.execution.affinity',
        what: `CPU ${missing.join(', ')} cannot be used here`,
        hint: `this process may use CPU ${allowed.join(', ')}`,
      });
    }
  }
  throwFaults(`protocol ${protocol.name} on this machine`, faults);
}
