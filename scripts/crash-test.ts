// Kills campaigns with SIGKILL at random moments, resumes them, and checks that nothing is lost;
// with --disk lets each of their calls that change a file fail instead.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { breakEveryCall, diskModes } from './crash/break-disk.ts';
import { compileCrashPrograms } from './crash/compile.ts';
import { killUntil } from './crash/kill-until.ts';
import { countKills, describeTally } from './crash/tally.ts';
import { readOptions } from './read-options.ts';

const usage = `npm run crash-test -- [--kills N] [--seed S]: so many kills (500), by a seed (drawn)
npm run crash-test -- --disk: lets each call that changes a file fail`;
const { values } = readOptions(usage, {
  options: {
    kills: { type: 'string', default: '500' },
    seed: { type: 'string' },
    disk: { type: 'boolean', default: false },
  },
});
if (values.disk) process.exit(await reportBrokenDisks());
const kills = Number(values.kills);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed) || seed < 0) {
  process.stderr.write('--kills is a whole number from 1 on, --seed one from 0 on\n');
  process.exit(2);
}
process.stdout.write(`seed ${seed}\n`);
const { tally, faults } = await killUntil(kills, seed, (so) => {
  process.stderr.write(`${countKills(so)} of ${kills} kills, ${so.campaigns} campaigns\n`);
});
process.stdout.write(`${describeTally(tally)}\n`);
for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

/** @returns the exit status */
async function reportBrokenDisks(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-crash-programs-'));
  const programs = await compileCrashPrograms(folder);
  let isSound = true;
  for (const start of ['new', 'torn'] as const) {
    for (const mode of diskModes) {
      const { injected, statuses, faults } = await breakEveryCall(programs, 'four', mode, start);
      const ends = [...statuses].map(([status, count]) => `${count} ended with status ${status}`);
      process.stdout.write(
        `${start} campaign, ${mode}: ${injected} calls failed, ${ends.join(', ')}\n`,
      );
      for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`);
      isSound &&= faults.length === 0;
    }
  }
  rmSync(folder, { recursive: true });
  return isSound ? 0 : 1;
}
