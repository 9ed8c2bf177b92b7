import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLockOwner, takeLock } from '../../src/campaign/lock.io.ts';
import { createDeviceStateReader } from '../../src/device/device-state.io.ts';
import { makeFolder } from '../support/ledger-folder.ts';
import { findRealBackend } from '../support/real-backend.ts';
import { makeSmallPlan, workIn } from '../support/rooflaw.ts';

/** A lock as a process that has ended leaves it. */
async function leaveLock(path: string, change: object = {}): Promise<void> {
  const lock = await takeLock(path, 'left', 'device CPU');
  const owner = JSON.parse(readFileSync(path, 'utf8'));
  await lock.release();
  writeFileSync(path, JSON.stringify({ ...owner, pid: 2 ** 22 + 1, ...change }));
}

test.each([
  ['that has ended', {}, 'that process has ended'],
  ['of an earlier start', { bootId: 'another' }, 'it is of an earlier start of the system'],
  ['whose number was reused', { pid: 1, startTicks: 'x' }, 'belongs to another process now'],
])(
  'a lock of a process %s is taken over, and it is said from whom and why',
  async (_what, change, why) => {
    const path = join(makeFolder(), 'device.lock');
    await leaveLock(path, change);
    const { takenOver, release } = await takeLock(path, 'next', 'device CPU');
    expect(takenOver).toMatch(
      /^the lock of device CPU, left behind by process \d+ of another campaign,/,
    );
    expect(takenOver).toContain(why);
    await release();
  },
);

test('a process that has ended and that nobody has waited for holds no lock', async () => {
  const path = join(makeFolder(), 'device.lock');
  const script = 'exec 3<&0; (read line <&3) & echo $!; exec sleep 30';
  const parent = spawn('/bin/sh', ['-c', script]);
  const pid = await new Promise<number>((resolve) =>
    parent.stdout.once('data', (text) => resolve(Number(text))),
  );
  const nameOfParent = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim();
  await expect.poll(nameOfParent, { timeout: 20_000 }).toBe('sleep'); // which waits for no child
  parent.stdin.end();
  const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  await expect.poll(() => stat()[0], { timeout: 20_000 }).toBe('Z');
  await leaveLock(path, { pid, startTicks: stat()[19] });
  const { takenOver, release } = await takeLock(path, 'next', 'device CPU');
  expect(takenOver).toContain('that process has ended');
  await release();
  parent.kill('SIGKILL');
});

test.each([
  ['a symbolic link', (path: string) => symlinkSync('/nowhere', path)],
  [
    'a link to a pipe',
    (path: string) => {
      execFileSync('mkfifo', [`${path}.pipe`]);
      symlinkSync(`${path}.pipe`, path);
    },
  ],
  ['a folder', (path: string) => void mkdirSync(path)],
  ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
  ['a large file', (path: string) => writeFileSync(path, 'x'.repeat(100_000))],
])('%s where the lock should be is refused at once, and named', async (_what, make) => {
  const path = join(makeFolder(), 'device.lock');
  make(path);
  await expect(takeLock(path, 'mine', 'device CPU')).rejects.toMatchObject({
    code: 'not-writable',
    message: `cannot take the lock ${path}: something else is there`,
  });
  expect(await readLockOwner(path)).toBeNull();
});

test('a folder that may not be written to is named', async () => {
  await expect(takeLock('/proc/device.lock', 'mine', 'device CPU')).rejects.toMatchObject({
    code: 'not-writable',
    message: expect.stringContaining('/proc/device.lock'),
  });
});

test('of those that come at the same moment one gets the lock, a hundred times, stale or not', async () => {
  const folder = makeFolder();
  for (let round = 0; round < 100; round++) {
    const path = join(folder, `${round}.lock`);
    if (round % 2 === 0) await leaveLock(path);
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => takeLock(path, `c${n}`, 'device CPU')),
    );
    const winners = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    expect(winners).toHaveLength(1);
    expect(winners[0]!.takenOver === null).toBe(round % 2 === 1);
    await winners[0]!.release();
  }
  expect(readdirSync(folder)).toEqual([]);
});

const real = await findRealBackend();
describe.skipIf(real.state !== 'ready' || process.platform !== 'linux')(
  'beside real trials',
  () => {
    test('locks that were taken over stand in the ledger, as what the program saw', {
      timeout: 180_000,
    }, async () => {
      const work = workIn();
      await makeSmallPlan(work);
      const campaign = join(work.folder, 'campaigns/small');
      mkdirSync(campaign, { recursive: true });
      await leaveLock(join(work.folder, 'rooflaw-CPU.lock'));
      await leaveLock(join(campaign, '.lock'), { bootId: 'another' });
      expect((await work.run(['run', 'small.plan.json'])).status).toBe(0);
      const lines = readFileSync(join(campaign, 'ledger.ndjson'), 'utf8');
      const entries = lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(entries.filter(({ type }) => type === 'note')).toMatchObject([
        {
          author: 'rooflaw',
          text: expect.stringMatching(/^the lock of device CPU, left .* ended$/),
        },
        {
          author: 'rooflaw',
          text: expect.stringMatching(/^the lock of campaign small, .* start of/),
        },
      ]);
      expect((await work.run(['verify', 'small'])).status).toBe(0);
      const { stdout } = await work.run(['analyze', 'small']);
      expect(stdout).toContain('Noted by the program');
      expect(stdout).not.toMatch(/After the fact|after the plan was fixed/);
    });

    test('work of others is recorded at the boundaries and shown, and nothing is dropped', {
      timeout: 180_000,
    }, async () => {
      const work = workIn();
      await makeSmallPlan(work);
      const burners = Array.from({ length: 2 }, () =>
        spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
      );
      try {
        expect((await work.run(['run', 'small.plan.json'])).status).toBe(0);
      } finally {
        for (const burner of burners) burner.kill('SIGKILL');
      }
      const analysis = JSON.parse((await work.run(['analyze', 'small', '--json'])).stdout);
      expect(analysis.otherUse.seen).toBeGreaterThan(0);
      expect(analysis.items.map(({ n }: { n: number }) => n)).toEqual([3, 3, 3, 3]);
      expect((await work.run(['analyze', 'small'])).stdout).toContain(
        'DISTURBED: others were seen',
      );
      await work.run(['report', 'small']);
      const report = readFileSync(join(work.folder, 'campaigns/small/report.html'), 'utf8');
      expect(report).toContain('Work of others on the device was seen');
    });
  },
);

test.each([
  ['has nobody else', 'echo "1980, 3201, 38, 127.31, 0x1, 0, 4, Enabled"', 'not-seen'],
  ['another process uses', 'echo "1980, 3201, 37, 110.41, 0x0, 2, 527, Enabled"', 'seen'],
  ['is lost', 'echo "[Unknown Error], 0, 0, 0, 0x0, 0, [GPU is lost], Enabled"', 'not-visible'],
])('a GPU that %s is recorded as such', async (_what, answer, otherUse) => {
  const folder = makeFolder();
  const list = 'case "$*" in *index,uuid,name*) echo "0, GPU-aaaa, NVIDIA H200"; exit;; esac';
  writeFileSync(join(folder, 'nvidia-smi'), `#!/bin/sh\n${list}\n${answer}\n`, { mode: 0o755 });
  const path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
  try {
    const gpu = { name: 'CUDA0', description: 'NVIDIA H200', memoryBytes: 0, type: 'gpu' } as const;
    const reader = await createDeviceStateReader(gpu);
    expect(await reader.read()).toMatchObject({ source: 'nvidia-smi', otherUse });
  } finally {
    process.env.PATH = path;
    rmSync(join(folder, 'nvidia-smi'));
  }
});
