import { expect, test } from 'vitest';
import { judgeCpuUse } from '../../src/device/other-use.ts';

const firstNamespace = 'pid:[4026531836]';
const ownNamespace = 'pid:[4026532201]';

test('what runs besides this process is the work of others', () => {
  expect(judgeCpuUse('2.31 1.17 0.62 4/112 5031', firstNamespace)).toBe('seen');
  expect(judgeCpuUse('2.31 1.17 0.62 2/112', ownNamespace)).toBe('seen');
});

test('nothing else running is not seen on the machine and not visible in a container', () => {
  expect(judgeCpuUse('0.16 0.03 0.01 1/205 461', firstNamespace)).toBe('not-seen');
  expect(judgeCpuUse('0.16 0.03 0.01 1/205 461', ownNamespace)).toBe('not-visible');
  expect(judgeCpuUse('0.16 0.03 0.01 1/205 461', null)).toBe('not-visible');
});

test('without a load average nothing is visible', () => {
  expect(judgeCpuUse(null, firstNamespace)).toBe('not-visible');
  expect(judgeCpuUse('absent', firstNamespace)).toBe('not-visible');
});
