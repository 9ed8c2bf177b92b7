import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { takeLock } from '../../src/campaign/lock.io.ts';
import { sha256Hex } from '../../src/hash.ts';
import { startTaker } from '../support/lock-takers.ts';

const nobody = 65_534;
const dead = { pid: 2 ** 22 + 1, startTicks: '1', bootId: 'another', pidNamespace: null };
const left = JSON.stringify({ ...dead, campaign: 'left' });

/** Everybody may write there, and nobody may remove what is another's: as in /tmp. */
function makeStickyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-sticky-'));
  chmodSync(folder, 0o1777);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What a user without rights hears of a lock. */
async function takeAsNobody(path: string): Promise<Record<string, string>> {
  const options = { isGated: false, uid: nobody, gid: nobody };
  const end = await startTaker(path, 'mine', options).finish();
  expect(end).toMatch(/^refused /);
  return JSON.parse(end.slice('refused '.length));
}

const isRoot = process.getuid?.() === 0;
describe.skipIf(!isRoot)('a lock of another user (needs root, to be two users)', () => {
  test('that is held is refused, and its owner named', async () => {
    const path = join(makeStickyFolder(), 'device.lock');
    const lock = await takeLock(path, 'theirs', 'device CPU');
    expect(await takeAsNobody(path)).toMatchObject({
      code: 'busy',
      message: `device CPU is in use: process ${process.pid} works on campaign theirs`,
    });
    await lock.release();
  });

  test('that may not be read is refused with what to try', async () => {
    const path = join(makeStickyFolder(), 'device.lock');
    writeFileSync(path, left, { mode: 0o600 });
    expect(await takeAsNobody(path)).toEqual({
      code: 'busy',
      message: `the lock of another user is in the way: ${path}`,
      hint: expect.stringContaining('ask an administrator'),
    });
  });

  test.each([
    ['', (path: string) => path],
    [
      ' at whose lock another had died',
      (path: string) => `${path}.${sha256Hex(left).slice(0, 32)}`,
    ],
  ])(
    'that died%s and that may not be removed is named, and nothing of ours left',
    async (_what, nameOf) => {
      const folder = makeStickyFolder();
      const path = join(folder, 'device.lock');
      writeFileSync(path, left);
      chownSync(path, nobody, nobody);
      writeFileSync(nameOf(path), left); // root's
      if (nameOf(path) === path) chownSync(path, 0, 0);
      const before = readdirSync(folder);
      expect(await takeAsNobody(path)).toEqual({
        code: 'busy',
        message: `a stale lock of another user is in the way: ${nameOf(path)}`,
        hint: expect.stringContaining('administrator'),
      });
      expect(readdirSync(folder)).toEqual(before);
      expect(readFileSync(path, 'utf8')).toBe(left);
    },
  );
});
