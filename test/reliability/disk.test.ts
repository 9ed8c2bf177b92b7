import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { breakEveryCall, resumeHere } from '../../scripts/crash/break-disk.ts';
import { findEndFaults } from '../../scripts/crash/check-end.ts';
import { compileCrashPrograms, copyRunner } from '../../scripts/crash/compile.ts';
import { makeCrashPlan } from '../../scripts/crash/plans.ts';
import { startLife } from '../../scripts/crash/start-life.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const isLinux = process.platform === 'linux';
const folder = mkdtempSync(join(tmpdir(), 'rooflaw-disk-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!isLinux)('a disk that fails (Linux: LD_PRELOAD)', async () => {
  const programs = isLinux ? await compileCrashPrograms(folder) : { runner: '', failingCalls: '' };

  test.each([
    ['full', 'ENOSPC', [4]],
    ['broken', 'EIO', [0, 4]], // 0: what fails last is only the removal of a lock
  ] as const)(
    'is %s from any call on: said, and nothing lost',
    async (_, mode, ends) => {
      const { injected, statuses, faults } = await breakEveryCall(programs, 'four', mode);
      expect(faults).toEqual([]);
      expect([...statuses.keys()].sort()).toEqual(ends);
      expect(injected).toBeGreaterThan(60); // four trials of about ten calls each, and twenty around them
    },
    300_000,
  );

  test('is a real one of 160 kB with less and less room', async ({ skip }) => {
    const path = mountSmallDisk(join(folder, 'small'));
    if (path === null) skip('a disk can be mounted by root only');
    const runner = await copyRunner(programs, folder);
    const statuses = new Set<number | null>();
    for (const freePages of [0, 2, 5, 9]) {
      const work = mkdtempSync(join(path!, 'work-'));
      const life = {
        folder: work,
        plan: 'four',
        runner,
        repetitionMs: 1,
        timeLimitSeconds: 20,
      } as const;
      const { bavail, bsize } = statfsSync(work);
      writeFileSync(join(work, 'filler'), Buffer.alloc(Math.max(0, bavail - freePages) * bsize));
      const broken = startLife(life);
      const { status } = await broken.ended;
      statuses.add(status);
      expect([0, 3, 4], broken.stderr()).toContain(status);
      expect(broken.stderr()).not.toMatch(/^ +at /m);
      rmSync(join(work, 'filler'));
      const acknowledged = new Map(broken.acknowledged);
      expect(await resumeHere(life, acknowledged)).toEqual([]);
      const plan = makeCrashPlan('four');
      expect(await findEndFaults({ folder: work, plan, runner, acknowledged })).toEqual([]);
      rmSync(work, { recursive: true });
    }
    expect(statuses).toContain(4);
  });
});
