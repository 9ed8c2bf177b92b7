import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { resumeHere, runOnBrokenDisk } from '../../scripts/crash/break-disk.ts';
import type { Life } from '../../scripts/crash/live.ts';
import { startLife } from '../../scripts/crash/start-life.ts';
import { findFaultsOf, prepareLives, readLedgerOf } from '../support/fast-runner-life.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const isLinux = process.platform === 'linux';

/** A runner that does something before the real one and may hide how that ended. */
function writeScript(folder: string, commands: string): string {
  const path = join(folder, 'runner.sh');
  writeFileSync(path, `#!/bin/sh\n${commands}\n`, { mode: 0o755 });
  return path;
}

/** A campaign that stops as the disk fails; resumed with a sound one, no trial of it has failed. */
async function stopAndResume(life: Life, disturbed: Partial<Life>, repair = () => {}) {
  const broken = startLife({ ...life, ...disturbed });
  const { status } = await broken.ended;
  const types = readLedgerOf(life).map(({ type }) => type);
  expect(types).not.toContain('failed');
  expect({ status, stderr: broken.stderr() }).toMatchObject({ status: 4 });
  expect(types.at(-1)).toBe('intended');
  repair();
  const acknowledged = new Map(broken.acknowledged);
  expect(await resumeHere(life, acknowledged)).toEqual([]);
  expect(await findFaultsOf(life, acknowledged)).toEqual([]);
  const entries = readLedgerOf(life);
  expect(entries).toContainEqual(
    expect.objectContaining({ type: 'interrupted', trial: 0, reason: 'harness-died' }),
  );
  expect(entries.at(-1)).toMatchObject({ type: 'end', failed: 0 });
  return broken.stderr();
}

describe.skipIf(!isLinux)('what a runner cannot write is no fault of its model', async () => {
  const lives = isLinux ? await prepareLives() : null;

  test.for([
    ['the runner says so', 'exec "$runner" "$@"'],
    ['the runner ends as if nothing were', '"$runner" "$@" 2> /dev/null; exit 0'],
  ])('on a disk that others fill during a trial: %s', async ([, measure], { skip }) => {
    const outer = mkdtempSync(join(tmpdir(), 'rooflaw-full-'));
    onTestFinished(() => rmSync(outer, { recursive: true }));
    const disk = mountSmallDisk(join(outer, 'disk'));
    if (disk === null) return skip('a disk can be mounted by root only');
    const folder = mkdtempSync(join(disk, 'work-'));
    const life = await lives!.prepare({ plan: 'four', folder });
    const filler = join(disk, 'filler');
    const fill = `cat /dev/zero > ${filler} 2> /dev/null`;
    const runner = writeScript(outer, `runner=${life.runner}\n${fill}\n${measure}`);
    const stderr = await stopAndResume(life, { runner }, () => rmSync(filler));
    expect(stderr).toMatch(
      /^rooflaw: cannot write a trial’s output and log, .*: the disk is full$/m,
    );
    expect(stderr).toMatch(/^try: .*make room/m);
  });

  test.each([1, 2, 4])('on a disk that fails the runner alone, at its write %i', async (at) => {
    const life = await lives!.prepare({ plan: 'four' });
    const stderr = await stopAndResume(life, {
      runnerEnvironment: {
        LD_PRELOAD: lives!.failingCalls,
        CRASH_FOLDER: life.folder,
        CRASH_AT: String(at),
        CRASH_MODE: 'EIO-ONCE',
      },
    });
    expect(stderr).toMatch(/^rooflaw: the runner could not write its results to logs/m);
    expect(stderr).toMatch(/^try: .*make room or see to the disk/m);
  });

  test('garbage on a sound disk is', async () => {
    const life = await lives!.prepare({ plan: 'four' });
    const runner = writeScript(life.folder, 'echo garbage; cat > /dev/null');
    const running = startLife({ ...life, runner });
    expect((await running.ended).status).toBe(3);
    const failed = readLedgerOf(life).filter((entry) => entry.type === 'failed');
    expect(failed.map(({ code }) => code)).toEqual(Array(4).fill('bad-output'));
  });

  test('nor is what cannot be read back', async () => {
    const { runner } = await lives!.prepare();
    const programs = { runner, failingCalls: lives!.failingCalls };
    const { calls } = await runOnBrokenDisk(programs, 'four', 'EIO-READ', 0);
    const of = (name: string) => calls.filter(({ path }) => path.endsWith(name));
    const output = of('000000-0.log.out')[0]!;
    const log = of('000000-0.log').at(-1)!; // when its hash is taken
    for (const { number: at } of [output, log]) {
      const { isReached, status, stderr, faults } = await runOnBrokenDisk(
        programs,
        'four',
        'EIO-READ',
        at,
      );
      expect({ isReached, status, faults }).toEqual({ isReached: true, status: 4, faults: [] });
      expect(stderr).toContain('the disk failed (input/output error)');
    }
  });
});
