import { hostname, networkInterfaces, userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { createDeviceStateReader } from '../../src/device/device-state.io.ts';
import { diagnose } from '../../src/device/diagnose.ts';
import { readMachine } from '../../src/device/machine-readings.io.ts';
import { readFingerprint } from '../../src/device/read-fingerprint.io.ts';
import { createIdleWait } from '../../src/device/wait-for-idle.io.ts';
import { deviceStateSchema, fingerprintSchema } from '../../src/formats/ledger.ts';

const cpu = { name: 'CPU', description: 'a CPU', memoryBytes: 0, type: 'cpu' } as const;
const absentGpu = {
  name: 'CUDA9',
  description: 'no such GPU',
  memoryBytes: 1,
  type: 'gpu',
} as const;
const onLinux = process.platform === 'linux';

test.skipIf(!onLinux)('the state of this CPU is read from the kernel: needs Linux', async () => {
  const reader = await createDeviceStateReader(cpu);
  const state = deviceStateSchema.parse(await reader.read());
  expect(state.source).toBe('linux');
  expect(state.readNs).toBeGreaterThan(0);
  expect(state.readings.loadAverage).toMatch(/^\d+\.\d\d \d+\.\d\d \d+\.\d\d \d+\/\d+$/);
  expect(state.readings.cpuTicks).toMatch(/^cpu +\d+/);
  expect(state.readings.memoryAvailable).toMatch(/^\d+ kB$/);
});

test('a GPU that is not there has no state, and reading it throws nothing', async () => {
  const reader = await createDeviceStateReader(absentGpu);
  expect(deviceStateSchema.parse(await reader.read())).toMatchObject({
    source: 'none',
    readings: { absent: 'no GPU of nvidia-smi could be matched' },
    otherUse: 'not-visible',
  });
});

test('a fingerprint says what the machine is, and not which one', async () => {
  const fingerprint = fingerprintSchema.parse(await readFingerprint(cpu));
  expect(fingerprint).toMatchObject({ device: 'CPU', deviceMemoryBytes: null, driver: null });
  expect(fingerprint.memoryBytes).toBeGreaterThan(2 ** 20);
  const words = JSON.stringify(fingerprint).split(/[^\w.:-]+/);
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).flatMap(({ address, mac }) => [address, mac]),
  );
  for (const secret of [hostname(), userInfo().username, ...addresses]) {
    expect(words).not.toContain(secret);
  }
});

test('without a rule, or without a way to read the device, nothing is waited for', async () => {
  const { signal } = new AbortController();
  expect(await createIdleWait(absentGpu, null, signal)()).toBe(0);
  const igpu = { ...absentGpu, name: 'Vulkan0', type: 'igpu' } as const;
  const wait = createIdleWait(igpu, { maxSeconds: 60, maxUtilisation: 0 }, signal);
  expect(await wait()).toBeLessThan(1e9);
});

test.skipIf(!onLinux)('a wait for the CPU measures its use over 0.2 s: needs Linux', async () => {
  const { signal } = new AbortController();
  const wait = createIdleWait(cpu, { maxSeconds: 5, maxUtilisation: 1 }, signal);
  expect(await wait()).toBeGreaterThan(1.9e8);
});

test('this machine can be diagnosed', async () => {
  const readings = await readMachine();
  expect(readings.allowedCpuCount).toBeGreaterThanOrEqual(1);
  const findings = diagnose(readings, 1_000_000);
  expect(findings[0]).toMatchObject({ what: 'threads', state: 'warning' });
});
