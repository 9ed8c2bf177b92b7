import { expect, test } from 'vitest';
import {
  explainClocksEventReasons,
  findGpuIndex,
  isNvidia,
  parseGpuList,
  parseStateLine,
} from '../../src/device/nvidia.ts';
import { judgeGpuUse } from '../../src/device/other-use.ts';

// Printed by nvidia-smi 580.159.04 on one H200: idle, and with an empty CUDA context open.
const idleLine = '1980, 3201, 38, 127.31, 0x0000000000000001, 0, 0, Enabled\n';
const contextLine = '1980, 3201, 37, 110.41, 0x0000000000000000, 2, 527, Enabled\n';
// Recorded around trials of an earlier campaign on such a machine, with five fields only.
const earlierLine = '1980, 3201, 37, 164.40, 0x0000000000000000';

test('a recorded line of nvidia-smi is read field by field, as text', () => {
  expect(parseStateLine(idleLine)).toEqual({
    clockSmMHz: '1980',
    clockMemoryMHz: '3201',
    temperatureC: '38',
    powerW: '127.31',
    clocksEventReasons: '0x0000000000000001',
    utilisationPercent: '0',
    memoryUsedMiB: '0',
    persistenceMode: 'Enabled',
  });
});

test.each([earlierLine, '', 'No devices were found', 'Field "x" is not a valid field to query.'])(
  'a line without all fields is no state: %s',
  (line) => {
    expect(parseStateLine(line)).toBeNull();
  },
);

test('memory in use tells whether others use an idle GPU', () => {
  expect(judgeGpuUse(parseStateLine(idleLine)?.memoryUsedMiB)).toBe('not-seen');
  expect(judgeGpuUse('4')).toBe('not-seen'); // after a context was closed
  expect(judgeGpuUse(parseStateLine(contextLine)?.memoryUsedMiB)).toBe('seen');
  expect(judgeGpuUse('[N/A]')).toBe('not-visible');
});

test('reasons for lower clocks are named, and an idle GPU has none', () => {
  expect(explainClocksEventReasons('0x0000000000000001')).toEqual([]);
  expect(explainClocksEventReasons('0x0000000000000000')).toEqual([]);
  expect(explainClocksEventReasons('0x0000000000000024')).toEqual([
    'power cap in software',
    'thermal slowdown in software',
  ]);
  expect(explainClocksEventReasons('[N/A]')).toEqual([]);
});

const twins = parseGpuList('0, GPU-aaaa-1, NVIDIA H200\n1, GPU-bbbb-2, NVIDIA H200\n');
const mixed = parseGpuList('0, GPU-aaaa-1, NVIDIA T4\n1, GPU-bbbb-2, NVIDIA H200\n');
const device = (name: string, description = 'NVIDIA H200') => ({ name, description });

test('a GPU is found by its name where it is the only one of that name', () => {
  expect(findGpuIndex(device('CUDA0'), mixed, undefined)).toBe('1');
  expect(findGpuIndex(device('Vulkan7'), mixed, undefined)).toBe('1');
});

test('equal GPUs are told apart by their number among the visible ones', () => {
  expect(findGpuIndex(device('CUDA1'), twins, undefined)).toBe('1');
  expect(findGpuIndex(device('CUDA0'), twins, '1')).toBe('1');
  expect(findGpuIndex(device('CUDA0'), twins, '1, 0')).toBe('1');
  expect(findGpuIndex(device('CUDA0'), twins, 'GPU-bbbb')).toBe('1');
});

test('no GPU is named where it cannot be told', () => {
  expect(findGpuIndex(device('Vulkan0'), twins, undefined)).toBeNull();
  expect(findGpuIndex(device('CUDA2'), twins, undefined)).toBeNull();
  expect(findGpuIndex(device('CUDA1'), twins, '0')).toBeNull();
  expect(findGpuIndex(device('CUDA0'), twins, 'MIG-cccc')).toBeNull();
  expect(findGpuIndex(device('CUDA0', 'another name'), mixed, undefined)).toBeNull();
  expect(findGpuIndex(device('CUDA0'), [], undefined)).toBeNull();
});

test('a CPU and the GPU of another maker are not asked of nvidia-smi', () => {
  const memoryBytes = 0;
  expect(isNvidia({ ...device('CUDA0'), memoryBytes, type: 'gpu' })).toBe(true);
  expect(isNvidia({ ...device('Vulkan0'), memoryBytes, type: 'gpu' })).toBe(true);
  expect(isNvidia({ ...device('Metal', 'Apple M4'), memoryBytes, type: 'gpu' })).toBe(false);
  expect(isNvidia({ ...device('CPU', 'NVIDIA Grace'), memoryBytes, type: 'cpu' })).toBe(false);
});
