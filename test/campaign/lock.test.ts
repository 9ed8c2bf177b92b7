import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readLockOwner, takeLock } from '../../src/campaign/lock.io.ts';

const folder = mkdtempSync(join(tmpdir(), 'rooflaw-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'device.lock');
beforeEach(() => rmSync(path, { force: true }));

test('a lock that is held is refused, with its owner and campaign named', async () => {
  const lock = await takeLock(path, 'first', 'device CPU');
  await expect(takeLock(path, 'second', 'device CPU')).rejects.toMatchObject({
    code: 'busy',
    message: `device CPU is in use: process ${process.pid} works on campaign first`,
  });
  expect(await readLockOwner(path)).toMatchObject({ pid: process.pid, campaign: 'first' });
  await lock.release();
  expect(await readLockOwner(path)).toBeNull();
  await (await takeLock(path, 'second', 'device CPU')).release();
});

test('the lock of a dead process is taken over, and that is said', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.on('exit', resolve));
  const own = await takeLock(path, 'mine', 'device CPU');
  const owner = JSON.parse(readFileSync(path, 'utf8'));
  await own.release();
  writeFileSync(path, JSON.stringify({ ...owner, pid: child.pid, campaign: 'dead' }));
  const lock = await takeLock(path, 'next', 'device CPU');
  expect(lock.takenOver).toContain(String(child.pid));
  await lock.release();
});

test.each([
  ['of another boot', { bootId: 'another' }],
  ['of a process number that was given to somebody else', { startTicks: '1' }],
])('a lock %s is taken over', async (_what, change) => {
  const own = await takeLock(path, 'mine', 'device CPU');
  const owner = JSON.parse(readFileSync(path, 'utf8'));
  await own.release();
  writeFileSync(path, JSON.stringify({ ...owner, ...change }));
  const lock = await takeLock(path, 'next', 'device CPU');
  expect(lock.takenOver).not.toBeNull();
  await lock.release();
});

test('the owner in another container cannot be judged, so it is believed to be alive', async () => {
  const own = await takeLock(path, 'mine', 'device CPU');
  const owner = JSON.parse(readFileSync(path, 'utf8'));
  await own.release();
  writeFileSync(path, JSON.stringify({ ...owner, pid: 2 ** 22 + 1, pidNamespace: 'pid:[1]' }));
  await expect(takeLock(path, 'next', 'device CPU')).rejects.toMatchObject({
    code: 'busy',
    hint: expect.stringContaining(path),
  });
});

test('a lock that somebody else took over is not released', async () => {
  const own = await takeLock(path, 'mine', 'device CPU');
  writeFileSync(path, 'of another');
  await own.release();
  expect(readFileSync(path, 'utf8')).toBe('of another');
});

test('a lock file with nonsense in it does not block for ever', async () => {
  writeFileSync(path, 'nonsense');
  const lock = await takeLock(path, 'next', 'device CPU');
  await lock.release();
});

test('of many that come at once exactly one gets the lock', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => takeLock(path, `c${n}`, 'device CPU')),
  );
  const winners = results.filter(({ status }) => status === 'fulfilled');
  expect(winners).toHaveLength(1);
});
