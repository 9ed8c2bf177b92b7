import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createWhoRanSampler, whoRanAvailability } from '../../src/device/who-ran.io.ts';
import { createAttribution, parseSchedstat, parseStat } from '../../src/device/who-ran.ts';
import { whoRanSchema } from '../../src/formats/who-ran.ts';

const counts = { samplesTaken: 3, samplesExpected: 4, samplerCpuNs: 7 };
const other = { name: 'another process', isOfTrial: false };

describe('the time that others had on a thread’s CPU while it waited', () => {
  const before = { onCpuNs: 0, waitNs: 0, cpu: 0 };

  test('is attributed up to the wait, on the CPU before or after it', () => {
    const attribution = createAttribution(20);
    attribution.add(before, { onCpuNs: 9e6, waitNs: 4e6, cpu: 1 }, [
      { owner: other, ns: 3e6, cpu: 0 },
      { owner: { name: 'kworker/0:1', isOfTrial: false }, ns: 2e6, cpu: 1 },
      { owner: other, ns: 50e6, cpu: 2 },
      { owner: { name: 'the trial', isOfTrial: true }, ns: 1e6, cpu: 0 },
    ]);
    expect(attribution.finish(counts, 4_100_000)).toEqual({
      intervalMs: 20,
      ...counts,
      waitNs: 4_100_000,
      waitsSeen: 1,
      attributedNs: 4e6,
      others: { 'another process': 3e6, 'kworker/0:1': 2e6 },
      otherThreadsOfTrialNs: 1e6,
    });
  });

  test('is less than the wait where nobody was seen to run', () => {
    const attribution = createAttribution(20);
    attribution.add(before, { onCpuNs: 0, waitNs: 4e6, cpu: 0 }, [
      { owner: other, ns: 1e6, cpu: 0 },
    ]);
    expect(attribution.finish(counts, 4e6)).toMatchObject({ waitsSeen: 1, attributedNs: 1e6 });
  });

  test('is not asked for in an interval with less than 0.2 ms of waiting', () => {
    const attribution = createAttribution(20);
    attribution.add(before, { onCpuNs: 0, waitNs: 199_999, cpu: 0 }, [
      { owner: other, ns: 1e6, cpu: 0 },
    ]);
    expect(attribution.finish(counts, 199_999)).toMatchObject({ waitsSeen: 0, others: {} });
  });

  test('has at most twenty names, and the rest together', () => {
    const attribution = createAttribution(20);
    const ran = Array.from({ length: 23 }, (_, index) => ({
      owner: { name: `k${index}`, isOfTrial: false },
      ns: 100 - index,
      cpu: 0,
    }));
    attribution.add(before, { onCpuNs: 0, waitNs: 4e6, cpu: 0 }, ran);
    const { others } = attribution.finish(counts, 4e6);
    expect(Object.keys(others)).toHaveLength(21);
    expect(others.others).toBe(80 + 79 + 78);
  });
});

test('a name may hold brackets and spaces', () => {
  const fields = ['R', ...Array(5).fill('1'), '2097216', ...Array(29).fill('0'), '3', '0'];
  const text = `7 (a) b (c) ${fields.join(' ')}`;
  expect(parseStat(text)).toEqual({ name: 'a) b (c', cpu: 3, isKernel: true });
  expect(parseStat('nothing')).toBeNull();
  expect(parseSchedstat('12 34 5\n')).toEqual({ onCpuNs: 12, waitNs: 34 });
  expect(parseSchedstat('')).toBeNull();
});

test('a kernel without such times is told of', () => {
  const root = mkdtempSync(join(tmpdir(), 'rooflaw-proc-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  expect(whoRanAvailability(root)).toBe(`${join(root, 'self', 'schedstat')}: ENOENT`);
  mkdirSync(join(root, 'self'));
  writeFileSync(join(root, 'self', 'schedstat'), '');
  expect(whoRanAvailability(root)).toBe(`${join(root, 'self', 'schedstat')} holds no times`);
});

test('a process that is gone at once gives no record, and no error', async () => {
  const sampler = createWhoRanSampler({ intervalMs: 5 });
  sampler.start(2 ** 22 + 1);
  await sleep(20);
  expect(sampler.stop()).toBeNull();
  expect(sampler.stop()).toBeNull();
});

const hasTaskset = spawnSync('taskset', ['-c', '0', 'true']).status === 0;
test.skipIf(!hasTaskset || whoRanAvailability() !== null)(
  'of two programs on one CPU the other one is seen while one waits',
  async () => {
    const busy = () => {
      const program = 'for (const end = Date.now() + 20000; Date.now() < end; );';
      const child = spawn('taskset', ['-c', '0', process.execPath, '-e', program]);
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    };
    const [watched] = [busy(), busy()];
    await sleep(500);
    const sampler = createWhoRanSampler({ intervalMs: 20 });
    sampler.start(watched!.pid!);
    await sleep(1500);
    const record = whoRanSchema.parse(sampler.stop());
    expect(record.waitNs).toBeGreaterThan(0);
    expect(record.others['another process']).toBeGreaterThan(0);
    expect(record.attributedNs).toBeGreaterThan(0);
    expect(record.samplesTaken).toBeLessThanOrEqual(record.samplesExpected);
    expect(Object.keys(record.others)).not.toContain('taskset');
  },
);
