import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { resumeHere } from '../../scripts/crash/break-disk.ts';
import { findEndFaults } from '../../scripts/crash/check-end.ts';
import { compileCrashPrograms, copyRunner } from '../../scripts/crash/compile.ts';
import { makeCrashPlan } from '../../scripts/crash/plans.ts';
import { listProcessesOf, strike } from '../../scripts/crash/processes.ts';
import { reaches, startLife } from '../../scripts/crash/start-life.ts';

const isLinux = process.platform === 'linux';
const folder = mkdtempSync(join(tmpdir(), 'rooflaw-signals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!isLinux)('a campaign (Linux: /proc)', async () => {
  const programs = isLinux ? await compileCrashPrograms(folder) : { runner: '', failingCalls: '' };

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends in good order at %s at any moment, and is resumed',
    async (signal) => {
      const work = mkdtempSync(join(folder, 'work-'));
      const runner = await copyRunner(programs, work);
      const life = {
        folder: work,
        plan: 'fixed',
        runner,
        repetitionMs: 2,
        timeLimitSeconds: 20,
      } as const;
      const acknowledged = new Map<number, string>();
      for (let time = 0; time < 2; time++) {
        const running = startLife(life);
        if (time === 0) await running.waitFor(reaches('opening'));
        else await running.waitFor((line) => line.startsWith('ack '));
        await wait(Math.random() * 20);
        const isStruck = strike(running.child.pid, signal);
        const end = await running.ended;
        for (const [seq, sha256] of running.acknowledged) acknowledged.set(seq, sha256);
        expect(isStruck).toBe(true);
        expect(end, running.stderr()).toEqual({ status: 130, signal: null });
        expect(running.stderr()).toContain('stopping');
        expect(listProcessesOf(runner)).toEqual([]);
      }
      expect(await resumeHere(life, acknowledged)).toEqual([]);
      const plan = makeCrashPlan('fixed');
      expect(await findEndFaults({ folder: work, plan, runner, acknowledged })).toEqual([]);
    },
  );

  test('whose wall clock goes back an hour at every reading is as sound as any', async () => {
    const work = mkdtempSync(join(folder, 'work-'));
    const runner = await copyRunner(programs, work);
    const life = {
      folder: work,
      plan: 'fixed',
      runner,
      repetitionMs: 1,
      timeLimitSeconds: 20,
    } as const;
    const running = startLife(life, {
      LD_PRELOAD: programs.failingCalls,
      CRASH_CLOCK_BACK_SECONDS: '3600',
    });
    expect(await running.ended, running.stderr()).toEqual({ status: 0, signal: null });
    const times = readTimes(work);
    expect(times.length).toBe(27);
    expect(times.toSorted().toReversed()).toEqual(times); // each earlier than the one before
    const { acknowledged } = running;
    const plan = makeCrashPlan('fixed');
    expect(await findEndFaults({ folder: work, plan, runner, acknowledged })).toEqual([]);
  });
});

function readTimes(work: string): string[] {
  const lines = readFileSync(join(work, 'crash/ledger.ndjson'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { time: string }).time);
}
