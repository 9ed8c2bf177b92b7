import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  findEarlyPromises,
  findLateSyncs,
  runOnBrokenDisk,
} from '../../scripts/crash/break-disk.ts';
import { compileCrashPrograms } from '../../scripts/crash/compile.ts';
import { killUntil } from '../../scripts/crash/kill-until.ts';
import { countKills } from '../../scripts/crash/tally.ts';

const isLinux = process.platform === 'linux';
const reason = isLinux ? '' : ' (skipped: /proc and LD_PRELOAD are of Linux)';

describe.skipIf(!isLinux)(`a campaign that crashes${reason}`, () => {
  test('loses nothing that it promised, killed 20 times (npm run crash-test: more)', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const { tally, faults } = await killUntil(20, seed);
    expect(faults, `npm run crash-test -- --kills 20 --seed ${seed}`).toEqual([]);
    expect(countKills(tally)).toBe(20);
    expect(tally.acknowledged).toBeGreaterThan(tally.trials);
    const { campaigns, steps } = tally.undisturbed; // of each trial its place and its outcome
    expect(campaigns).toBe(tally.campaigns);
    expect(steps).toBeGreaterThanOrEqual(2 * tally.trials + 2 * tally.campaigns);
  });

  test('promises no line before it was written and synchronised', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rooflaw-crash-programs-'));
    try {
      const programs = await compileCrashPrograms(folder);
      const { calls, faults } = await runOnBrokenDisk(programs, 'four', 'ENOSPC', 0);
      expect(faults).toEqual([]);
      expect(calls.filter(({ call }) => call === 'ack')).toHaveLength(10); // session, 4 trials, end
      expect(findEarlyPromises(calls)).toEqual([]);
      expect(findLateSyncs(calls)).toEqual([]); // plan and logs too, whose names and hashes it holds
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
