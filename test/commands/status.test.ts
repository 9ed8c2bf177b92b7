import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRealBackend, writeTinyModel } from '../support/real-backend.ts';
import { makeSmallPlan, workIn } from '../support/rooflaw.ts';

const real = await findRealBackend();
const reason = real.state === 'ready' ? '' : ` (skipped: ${real.what})`;
describe.skipIf(real.state !== 'ready')(`status on real llama.cpp${reason}`, () => {
  test('pilots that are done are counted, --all lists them, and JSON has them always', {
    timeout: 180_000,
  }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const one = ['-m', model, '-p', '8', '-n', '0', '-t', '1', '--alpha', '0.5'];
    const words = ['ab', ...one, '--max-rounds', '2', '--a', '', '--b', '', '--name'];
    const long = 'n'.repeat(64);
    for (const name of ['mine', long])
      expect(await work.run([...words, name])).toMatchObject({ status: 0 });
    // somebody's own campaign, of a space, that only ends like a pilot
    await makeSmallPlan(work);
    await work.run(['run', 'small.plan.json', '--name', 'small-pilot']);

    const counts = ['--processes', '2', '--warmup', '0', '--kept', '1', '--name', 'swept'];
    const sweep = ['-m', model, '-p', '8', '-n', '0', '-t', '1', '-ub', '4,8', ...counts];
    expect(await work.run(['bench', ...sweep])).toMatchObject({ status: 0 });

    const namesOf = (stdout: string) =>
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(':')[0]);
    const folded = await work.run(['status']);
    expect(folded.status).toBe(0);
    expect(namesOf(folded.stdout)).toEqual([
      'mine',
      long,
      'small-pilot',
      'swept',
      '3 pilots and probes that are complete are not listed',
    ]);
    expect(folded.stdout).toContain('not listed: `rooflaw status --all` lists them\n');
    // a long name is cut, and has the beginning of its SHA-256
    const pilots = ['mine-pilot', `${'n'.repeat(49)}-ce068a19-pilot`, 'swept-probe'];
    const all = ['mine', pilots[0], pilots[1], long, 'small-pilot', 'swept', pilots[2]];
    expect(namesOf((await work.run(['status', '--all'])).stdout)).toEqual(all);
    const json = JSON.parse((await work.run(['status', '--json'])).stdout);
    expect(json.map(({ name, isPilot }: Listed) => [name, isPilot])).toEqual(
      all.map((name) => [name, pilots.includes(name!)]),
    );
    expect((await work.run(['status', 'mine-pilot'])).stdout).toMatch(/^mine-pilot: complete/);
  });

  test('a pilot that was stopped is listed: it can be gone on with', {
    timeout: 120_000,
  }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const one = ['-m', model, '-p', '8', '-n', '0', '-t', '1', '--alpha', '0.5'];
    const words = ['ab', ...one, '--max-rounds', '2', '--a', '', '--b', '', '--name', 'mine'];
    const child = work.start(words);
    const ended = new Promise((resolve) => child.on('close', resolve));
    const ledger = join(work.folder, 'campaigns/mine-pilot/ledger.ndjson');
    await expect.poll(() => existsSync(ledger), { timeout: 60_000, interval: 5 }).toBe(true);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    const { stdout } = await work.run(['status']);
    expect(stdout).toMatch(/^mine-pilot: incomplete, \d of 4 trials/);
    expect(stdout).not.toContain('not listed');
  });
});

interface Listed {
  name: string;
  isPilot: boolean;
}
