import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { takeLock } from '../../src/campaign/lock.io.ts';
import { sha256Hex } from '../../src/hash.ts';
import { createRandom } from '../../src/random.ts';
import { makeFolder } from '../support/ledger-folder.ts';

/** Of processes that meet, each may be kept waiting between any two of its calls. */
const turns = vi.hoisted(() => ({ next: async () => {} }));
vi.mock('node:fs/promises', async (original) => {
  const calls = await original<typeof import('node:fs/promises')>();
  const late =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      await turns.next();
      return call(...args);
    };
  const { link, rename, rm, open, lstat } = calls;
  return {
    ...calls,
    link: late(link as (...args: unknown[]) => Promise<void>),
    rename: late(rename as (...args: unknown[]) => Promise<void>),
    rm: late(rm as (...args: unknown[]) => Promise<void>),
    open: late(open as (...args: unknown[]) => Promise<unknown>),
    lstat: late(lstat as (...args: unknown[]) => Promise<unknown>),
  };
});

const dead = { pid: 2 ** 22 + 1, startTicks: '1', bootId: 'another', pidNamespace: null };

/** @returns how many of eight took the lock */
async function meet(path: string, seed: string): Promise<number> {
  const random = createRandom(seed);
  turns.next = async () => {
    const isLong = random.nextBelow(4) === 0;
    for (let left = isLong ? random.nextBelow(60) : 0; left > 0; left--) await nextTurn();
  };
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => takeLock(path, `c${n}`, 'device CPU')),
  );
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'busy' });
  }
  const winners = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  for (const { release } of winners) await release();
  return winners.length;
}

test.each([
  ['stale lock', false],
  ['stale lock whose taker died at it', true],
])('however those that meet at a %s are kept waiting, one gets it', async (_what, isGuarded) => {
  const folder = makeFolder();
  const counts = new Map<number, string[]>();
  for (let round = 0; round < 150; round++) {
    const path = join(folder, `${round}.lock`);
    const left = JSON.stringify({ ...dead, campaign: 'left' });
    writeFileSync(path, left);
    const right = `${path}.${sha256Hex(left).slice(0, 32)}`;
    if (isGuarded) writeFileSync(right, JSON.stringify({ ...dead, campaign: 'next' }));
    const seed = `guard/${isGuarded}/${round}`;
    const count = await meet(path, seed);
    counts.set(count, [...(counts.get(count) ?? []), seed]);
  }
  expect([...counts.keys()]).toEqual([1]);
  expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([]);
});
