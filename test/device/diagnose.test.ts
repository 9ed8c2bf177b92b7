import { expect, test } from 'vitest';
import { diagnose } from '../../src/device/diagnose.ts';
import type { MachineReadings } from '../../src/device/machine-readings.ts';

const gpu = {
  index: '0',
  name: 'NVIDIA H200',
  clocksEventReasons: '0x0000000000000001',
  memoryUsedMiB: '0',
  utilisationPercent: '0',
  persistenceMode: 'Enabled',
  computeProcesses: 0,
};
const quiet: MachineReadings = {
  allowedCpuCount: 4,
  cpuQuota: 'unlimited',
  governors: ['performance', 'performance'],
  turbo: false,
  cpuShares: { busy: 0.05, stolen: 0.01 },
  hypervisor: false,
  container: false,
  swap: { totalBytes: 2 ** 30, usedBytes: 0 },
  onBattery: false,
  thermalThrottleEvents: 0,
  gpus: [gpu],
};
const disturbed: MachineReadings = {
  allowedCpuCount: 3,
  cpuQuota: 4,
  governors: ['performance', 'powersave'],
  turbo: true,
  cpuShares: { busy: 0.051, stolen: 0.011 },
  hypervisor: true,
  container: true,
  swap: { totalBytes: 2 ** 30, usedBytes: 3 * 2 ** 20 },
  onBattery: true,
  thermalThrottleEvents: 12,
  gpus: [
    {
      ...gpu,
      clocksEventReasons: '0x0000000000000004',
      memoryUsedMiB: '527',
      persistenceMode: 'Disabled',
      computeProcesses: 1,
    },
  ],
};
const blind: MachineReadings = {
  allowedCpuCount: 4,
  cpuQuota: null,
  governors: null,
  turbo: null,
  cpuShares: null,
  hypervisor: null,
  container: null,
  swap: null,
  onBattery: null,
  thermalThrottleEvents: null,
  gpus: null,
};

test('a quiet machine has no warning', () => {
  const findings = diagnose(quiet, 4);
  expect(findings.length).toBe(14);
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
});

test('everything that disturbs is a warning with what to do', () => {
  const findings = diagnose(disturbed, 4);
  expect(findings.map(({ what, seen }) => `${what}: ${seen}`)).toEqual([
    'threads: 4 threads, 3 CPUs',
    "CPU quota: 4 CPUs' worth of time",
    'frequency governor: performance, powersave',
    'turbo clocks: on',
    'other load: CPUs 5.1 % busy while Rooflaw waited',
    'other processes: not visible: this is a container',
    'hypervisor: this is a virtual machine',
    'stolen CPU time: 1.1 %',
    'swap: 3 MiB in use',
    'power: on battery',
    'CPU thermal throttling: 12 times since boot',
    'GPU 0 (NVIDIA H200) use: 1 processes, 527 MiB and 0 % in use',
    'GPU 0 (NVIDIA H200) clocks: power cap in software',
    'GPU 0 (NVIDIA H200) persistence mode: Disabled',
  ]);
  expect(new Set(findings.map(({ state }) => state))).toEqual(new Set(['warning']));
  for (const { advice } of findings) expect(advice).toMatch(/\w/);
});

test('what the system does not show is not measured, and no warning', () => {
  const findings = diagnose(blind, 4);
  expect(findings.filter(({ state }) => state === 'not-measured').length).toBe(11);
  expect(findings.filter(({ state }) => state !== 'not-measured').map(({ what }) => what)).toEqual([
    'threads',
  ]);
  for (const { advice } of findings) expect(advice).toBeNull();
});

test('a GPU in a container shows use by its memory although no process is listed', () => {
  const findings = diagnose({ ...quiet, gpus: [{ ...gpu, memoryUsedMiB: '527' }] }, 4);
  expect(findings.filter(({ state }) => state === 'warning').map(({ what }) => what)).toEqual([
    'GPU 0 (NVIDIA H200) use',
  ]);
});
