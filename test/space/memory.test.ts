import { expect, test } from 'vitest';
import { estimateMemory, findMemoryFaults } from '../../src/space/memory.ts';
import { readSpace } from '../../src/space/shipped.io.ts';

test('a trial needs its weights, a cache for the decoded tokens too, and working buffers', () => {
  const mid = readSpace('pilot').architectures[1]!;
  expect(estimateMemory(mid, 'Q8_0', 512)).toEqual({
    weightBytes: 270_307_328,
    kvBytes: 18_874_368, // 2 x 16 layers x 512 elements x 576 tokens x 2 bytes
    workingBytes: 26_083_328, // 128 x 4 bytes x (32,000 + 16 x 576 + 2 x 2,816 + 4 x 1,024)
    totalBytes: 315_265_024,
  });
});

test('every condition above the memory is a fault, and none at exactly what it needs', () => {
  const pilot = readSpace('pilot');
  const mid = { ...pilot, conditions: pilot.conditions.slice(4, 5) };
  expect(findMemoryFaults(mid, 315_265_024)).toEqual([]);
  expect(findMemoryFaults(mid, 315_265_023).map(({ where }) => where)).toEqual(['conditions[0]']);
  expect(findMemoryFaults(pilot, 2 ** 31).map(({ where }) => where)).toEqual(['conditions[6]']);
});
