import { expect, test } from 'vitest';
import {
  locateCpuGroups,
  parseCfsQuota,
  parseCpuMax,
  tightestQuota,
} from '../../src/device/cpu-quota.ts';

test('a quota is read as CPUs of both versions', () => {
  expect(parseCpuMax('150000 100000')).toBe(1.5);
  expect(parseCpuMax('max 100000')).toBe('unlimited');
  expect(parseCfsQuota('200000', '50000')).toBe(4);
  expect(parseCfsQuota('-1', '100000')).toBe('unlimited');
});

test('the tightest quota of a group and its ancestors holds', () => {
  expect(tightestQuota(['unlimited', 4, 2])).toBe(2);
  expect(tightestQuota(['unlimited'])).toBe('unlimited');
  expect(tightestQuota([])).toBeNull();
});

test('the folders of a group and its ancestors are found in both versions', () => {
  expect(locateCpuGroups('0::/user.slice/session')).toEqual([
    { version: 2, folder: '/sys/fs/cgroup/user.slice/session' },
    { version: 2, folder: '/sys/fs/cgroup/user.slice' },
    { version: 2, folder: '/sys/fs/cgroup' },
  ]);
  expect(locateCpuGroups('4:memory:/a\n3:cpuset:/b\n2:cpu,cpuacct:/docker\n')).toEqual([
    { version: 1, folder: '/sys/fs/cgroup/cpu/docker' },
    { version: 1, folder: '/sys/fs/cgroup/cpu' },
  ]);
  expect(locateCpuGroups(`0::${'/a'.repeat(100_000)}`)).toEqual([]); // no path of Linux
});
