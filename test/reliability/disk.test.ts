import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { breakEveryCall, resumeHere } from '../../scripts/crash/break-disk.ts';
import { findEndFaults } from '../../scripts/crash/check-end.ts';
import { compileCrashPrograms, copyRunner } from '../../scripts/crash/compile.ts';
import { makeCrashPlan } from '../../scripts/crash/plans.ts';
import { startLife } from '../../scripts/crash/start-life.ts';

const isLinux = process.platform === 'linux';
const folder = mkdtempSync(join(tmpdir(), 'rooflaw-disk-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!isLinux)('a disk that fails (Linux: LD_PRELOAD)', async () => {
  const programs = isLinux ? await compileCrashPrograms(folder) : { runner: '', failingCalls: '' };

  test('is full from any call on (each third; npm run crash-test -- --disk: each): said, and nothing lost', async () => {
    const first = 1 + Math.floor(Math.random() * 3);
    const { injected, statuses, faults } = await breakEveryCall(programs, 'four', 'ENOSPC', 'new', {
      first,
      step: 3,
    });
    expect(faults, `from call ${first} on`).toEqual([]);
    expect([...statuses.keys()]).toEqual([4]);
    expect(injected).toBeGreaterThan(13);
  });

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

/** Until the end of the test. @returns its path; null where this process may not mount */
function mountSmallDisk(path: string): string | null {
  try {
    mkdirSync(path);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160k', 'tmpfs', path], { stdio: 'ignore' });
    onTestFinished(() => void execFileSync('umount', [path]));
    return path;
  } catch {
    return null;
  }
}
