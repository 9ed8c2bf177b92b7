import { expect, test } from 'vitest';
import { parseCpuTime, shareCpuTime } from '../../src/device/cpu-time.ts';

// user nice system idle iowait irq softirq steal guest guest_nice
const stat = `cpu  9487 10 4828 145143 642 5 111 32 7 0
cpu0 3485 0 1894 74600 48 0 19 10 0 0`;

test('busy time is all but idle and waiting for disks, and guests are not counted twice', () => {
  expect(parseCpuTime(stat)).toEqual({
    busyTicks: 14_473, // 9487 + 10 + 4828 + 5 + 111 + 32
    stolenTicks: 32,
    totalTicks: 160_258,
  });
});

test('another text is no CPU time', () => {
  expect(parseCpuTime(null)).toBeNull();
  expect(parseCpuTime('intr 1 2 3')).toBeNull();
});

test('shares are of the time between two readings', () => {
  const before = { busyTicks: 100, stolenTicks: 10, totalTicks: 1000 };
  const after = { busyTicks: 130, stolenTicks: 12, totalTicks: 1040 };
  expect(shareCpuTime(before, after)).toEqual({ busy: 0.75, stolen: 0.05 });
  expect(shareCpuTime(before, before)).toBeNull();
  expect(shareCpuTime(null, after)).toBeNull();
});

test('a counter that goes back, as steal time does on some hosts, gives no negative share', () => {
  const before = { busyTicks: 100, stolenTicks: 10, totalTicks: 1000 };
  const after = { busyTicks: 99, stolenTicks: 9, totalTicks: 1010 };
  expect(shareCpuTime(before, after)).toEqual({ busy: 0, stolen: 0 });
});
