import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readSpecimen } from '../../src/device/specimen.io.ts';
import { hashSpecimen } from '../../src/device/specimen.ts';

const none = { gpuUuid: null, machineId: null, productUuid: null };
const machineId = '0123456789abcdef0123456789abcdef';
const productUuid = '4C4C4544-0042-3510-8054-B8C04F4D5A31';
const gpuUuid = 'GPU-12345678-1234-1234-1234-123456789abc';
const hashOf = (identifier: string) =>
  createHash('sha256').update(`rooflaw-specimen/${identifier}`).digest('hex');

test('a GPU is told by its UUID, a CPU by its machine, each as a hash', () => {
  expect(hashSpecimen('gpu', { ...none, gpuUuid: `${gpuUuid}\n`, machineId })).toBe(
    hashOf(gpuUuid),
  );
  expect(hashSpecimen('cpu', { ...none, machineId: `${machineId}\n`, productUuid })).toBe(
    hashOf(machineId),
  );
  expect(hashSpecimen('cpu', { ...none, productUuid })).toBe(hashOf(productUuid));
  expect(hashSpecimen('gpu', { ...none, machineId, productUuid })).toBeNull();
});

test('what is no identifier is none: missing, blank, or the same on every machine', () => {
  for (const text of [null, '', 'uninitialized', '0'.repeat(32), 'f'.repeat(31)]) {
    expect(hashSpecimen('cpu', { ...none, machineId: text })).toBeNull();
  }
  for (const text of [
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    'Not Settable',
  ]) {
    expect(hashSpecimen('cpu', { ...none, productUuid: text })).toBeNull();
  }
  for (const text of ['[N/A]', 'GPU-', machineId]) {
    expect(hashSpecimen('gpu', { ...none, gpuUuid: text })).toBeNull();
  }
});

test('this machine gives the same hash twice, or none', async () => {
  const device = { name: 'CPU', description: 'a CPU', memoryBytes: 0, type: 'cpu' } as const;
  const [first, second] = [await readSpecimen(device), await readSpecimen(device)];
  expect(first).toBe(second);
  expect(first ?? '0'.repeat(64)).toMatch(/^[0-9a-f]{64}$/);
});

test('a device of a kind without identifiers has none', async () => {
  const device = { name: 'Metal', description: 'M3', memoryBytes: 0, type: 'gpu' } as const;
  expect(await readSpecimen(device)).toBeNull();
});
