import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { takeLock } from '../../src/campaign/lock.io.ts';
import { makeFolder } from '../support/ledger-folder.ts';

/** Which calls fail from now on, and how. */
const failing = vi.hoisted(() => new Map<string, string>());
vi.mock('node:fs/promises', async (original) => {
  const calls = await original<typeof import('node:fs/promises')>();
  const breakable = (name: 'link' | 'rename' | 'rm') => async (from: string, to: string) => {
    const code = failing.get(name);
    if (code !== undefined) throw Object.assign(new Error(`${code}: ${name}`), { code });
    return (calls[name] as (from: string, to: string) => Promise<void>)(from, to);
  };
  return { ...calls, link: breakable('link'), rename: breakable('rename'), rm: breakable('rm') };
});
beforeEach(() => failing.clear());

const dead = { pid: 2 ** 22 + 1, startTicks: '1', bootId: 'another', pidNamespace: null };

test.each([
  ['ENOSPC', 'no-space', 'the disk is full'],
  ['EROFS', 'not-writable', 'the file system is read-only'],
])(
  'a lock that cannot be made (%s) is said, also where its draft cannot be removed',
  async (code, expected, what) => {
    const path = join(makeFolder(), 'device.lock');
    failing.set('link', code).set('rm', 'EIO');
    await expect(takeLock(path, 'mine', 'device CPU')).rejects.toMatchObject({
      code: expected,
      message: `cannot write the lock ${path}: ${what}`,
    });
  },
);

test.each([
  ['EPERM', 'busy', 'a stale lock of another user is in the way: '],
  ['EACCES', 'busy', 'a stale lock of another user is in the way: '],
  ['EIO', 'not-writable', 'cannot write the lock '],
])(
  'a stale lock that cannot be replaced (%s) is said, whatever else fails',
  async (code, expected, start) => {
    const path = join(makeFolder(), 'device.lock');
    writeFileSync(path, JSON.stringify({ ...dead, campaign: 'left' }));
    failing.set('rename', code);
    const error = { code: expected, message: expect.stringContaining(`${start}${path}`) };
    await expect(takeLock(path, 'mine', 'device CPU')).rejects.toMatchObject(error);
    expect(readdirSync(join(path, '..'))).toEqual(['device.lock']);
    failing.set('rm', 'EIO');
    await expect(takeLock(path, 'mine', 'device CPU')).rejects.toMatchObject(error);
  },
);

test('a draft that cannot be removed is in nobody’s way', async () => {
  const path = join(makeFolder(), 'device.lock');
  failing.set('rm', 'EIO');
  const lock = await takeLock(path, 'mine', 'device CPU');
  failing.clear();
  await lock.release();
  expect(readdirSync(join(path, '..'))).not.toContain('device.lock');
});
