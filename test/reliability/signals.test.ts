import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { resumeHere } from '../../scripts/crash/break-disk.ts';
import { listProcessesOf, strike } from '../../scripts/crash/processes.ts';
import { reaches, startLife } from '../../scripts/crash/start-life.ts';
import { findFaultsOf, prepareLives, readLedgerOf } from '../support/fast-runner-life.ts';

const isLinux = process.platform === 'linux';

describe.skipIf(!isLinux)('a campaign (Linux: /proc)', async () => {
  const lives = isLinux ? await prepareLives() : null;

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'ends in good order at %s at any moment, and is resumed',
    async (signal) => {
      const life = await lives!.prepare();
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
        expect(listProcessesOf(life.runner)).toEqual([]);
      }
      expect(await resumeHere(life, acknowledged)).toEqual([]);
      expect(await findFaultsOf(life, acknowledged)).toEqual([]);
    },
  );

  test('goes on at SIGHUP where no terminal is attached, as under nohup', async () => {
    const life = await lives!.prepare();
    const running = startLife(life);
    await running.waitFor((line) => line.startsWith('ack '));
    expect(strike(running.child.pid, 'SIGHUP')).toBe(true);
    expect(await running.ended, running.stderr()).toEqual({ status: 0, signal: null });
    expect(running.stderr()).toContain('SIGHUP: it goes on');
    expect(await findFaultsOf(life, running.acknowledged)).toEqual([]);
  });

  test('whose wall clock goes back an hour at every reading is as sound as any', async () => {
    const life = await lives!.prepare({ repetitionMs: 1 });
    const running = startLife(life, {
      LD_PRELOAD: lives!.failingCalls,
      CRASH_CLOCK_BACK_SECONDS: '3600',
    });
    expect(await running.ended, running.stderr()).toEqual({ status: 0, signal: null });
    const times = readLedgerOf(life).map(({ time }) => time);
    expect(times.length).toBe(27);
    expect(times.toSorted().toReversed()).toEqual(times); // each earlier than the one before
    expect(await findFaultsOf(life, running.acknowledged)).toEqual([]);
  });
});
