import { expect, test } from 'vitest';
import { waitForIdle } from '../../src/device/wait-for-idle.ts';

const rule = { maxSeconds: 1, maxUtilisation: 0.25 };

/** A device that is read once every 200 ms, on a clock that only reading moves. */
function observe(utilisations: (number | null)[], stopAfterReads = Number.POSITIVE_INFINITY) {
  let now = 1_000_000_000n;
  let reads = 0;
  return {
    async readUtilisation() {
      now += 200_000_000n;
      return utilisations[Math.min(reads++, utilisations.length - 1)]!;
    },
    nowNs: () => now,
    stopped: () => reads >= stopAfterReads,
  };
}

test('an idle device costs one reading', async () => {
  expect(await waitForIdle(rule, observe([0.25]))).toEqual({ waitedNs: 2e8, idle: true });
});

test('a busy device is waited for until it is idle', async () => {
  const wait = await waitForIdle(rule, observe([1, 0.5, 0.26, 0.1]));
  expect(wait).toEqual({ waitedNs: 8e8, idle: true });
});

test('the wait ends after its time although the device is busy', async () => {
  expect(await waitForIdle(rule, observe([1]))).toEqual({ waitedNs: 1e9, idle: false });
});

test('a device that cannot be read is not waited for', async () => {
  expect(await waitForIdle(rule, observe([null]))).toEqual({ waitedNs: 2e8, idle: null });
});

test('a stop ends the wait', async () => {
  expect(await waitForIdle(rule, observe([1], 2))).toEqual({ waitedNs: 4e8, idle: false });
});
