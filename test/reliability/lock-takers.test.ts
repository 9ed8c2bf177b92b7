import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLockOwner } from '../../src/campaign/lock.io.ts';
import { makeFolder } from '../support/ledger-folder.ts';
import { startTaker, type Taker } from '../support/lock-takers.ts';

const dead = { pid: 2 ** 22 + 1, startTicks: '1', bootId: 'another', pidNamespace: null };
function leaveLock(): string {
  const path = join(makeFolder(), 'device.lock');
  writeFileSync(path, JSON.stringify({ ...dead, campaign: 'left' }));
  return path;
}

/** Whether it is about to remove or replace the file. */
const changes = (name: string) => (place: string) => {
  const [call, file] = place.split(' ');
  return call !== 'link' && file === name;
};
const changesLock = changes('device.lock');

/** What the others say at the end, and then the slow one. */
async function finishLast(slow: Taker, others: readonly Taker[]): Promise<string[]> {
  const ends = await Promise.all(others.map((taker) => taker.finish()));
  return [...ends, await slow.finish()];
}

const wordOf = (end: string) => end.split(' ')[0];

test('of three that have read a stale lock, only the one that was about to replace it has it', async () => {
  const path = leaveLock();
  const slow = startTaker(path, 'slow');
  expect(await slow.goTo(changesLock)).not.toBeNull();
  const others = [startTaker(path, 'second'), startTaker(path, 'third')];
  const ends = await finishLast(slow, others);
  expect(ends.map(wordOf)).toEqual(['refused', 'refused', 'taken']);
  expect(ends[2]).toContain('of another campaign, was taken over: it is of an earlier start');
  expect(await readLockOwner(path)).toMatchObject({ pid: slow.child.pid, campaign: 'slow' });
  expect(readdirSync(join(path, '..'))).toEqual(['device.lock']);
});

test('one that has read a stale lock and comes too late leaves the lock of the faster alone', async () => {
  const path = leaveLock();
  const slow = startTaker(path, 'slow');
  const asksForRight = (place: string) => /^link device\.lock\.[0-9a-f]{32}$/.test(place);
  expect(await slow.goTo(asksForRight)).not.toBeNull();
  const fast = startTaker(path, 'fast');
  expect(await fast.finish()).toMatch(/^taken "the lock of device CPU, left behind/);
  const third = startTaker(path, 'third');
  for (const end of await finishLast(slow, [third])) {
    expect(JSON.parse(end.slice('refused '.length))).toMatchObject({
      code: 'busy',
      message: `device CPU is in use: process ${fast.child.pid} works on campaign fast`,
    });
  }
  expect(await readLockOwner(path)).toMatchObject({ pid: fast.child.pid, campaign: 'fast' });
  expect(readdirSync(join(path, '..'))).toEqual(['device.lock']);
});

test('one that died where it was about to replace a stale lock is in nobody’s way, however three meet there', async () => {
  const path = leaveLock();
  const died = startTaker(path, 'died');
  expect(await died.goTo(changesLock)).not.toBeNull();
  await died.kill();
  const [right] = readdirSync(join(path, '..')).filter((name) => name !== 'device.lock');
  const slow = startTaker(path, 'slow');
  expect(await slow.goTo(changes(right!))).not.toBeNull();
  const others = [startTaker(path, 'second'), startTaker(path, 'third')];
  const ends = await finishLast(slow, others);
  expect(ends.map(wordOf)).toEqual(['refused', 'refused', 'taken']);
  expect(await readLockOwner(path)).toMatchObject({ pid: slow.child.pid, campaign: 'slow' });
  expect(readdirSync(join(path, '..'))).toEqual(['device.lock']);
});

test('one that is killed before any of its calls leaves a lock that the next takes over', async () => {
  const path = leaveLock();
  let taken = 0;
  for (let calls = 1; taken === 0; calls++) {
    writeFileSync(path, JSON.stringify({ ...dead, campaign: `left ${calls}` }));
    const killed = startTaker(path, 'killed');
    let line: string | null = null;
    for (let call = 0; call < calls; call++) line = await killed.next();
    if (line?.startsWith('taken')) taken = calls;
    await killed.kill();
    const next = startTaker(path, 'next', { isGated: false });
    expect(await next.finish()).toMatch(/^taken "the lock of device CPU, left behind by process /);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: next.child.pid });
    await next.kill();
  }
  expect(taken).toBeGreaterThan(4);
  const names = readdirSync(join(path, '..'));
  expect(names.filter((name) => /^device\.lock\.[0-9a-f]{32}$/.test(name))).toEqual([]);
});

test('a lock is there all the while that it is taken over, so that nobody slips in unseen', async () => {
  const path = leaveLock();
  const taker = startTaker(path, 'next');
  for (;;) {
    const line = await taker.next();
    expect(readdirSync(join(path, '..'))).toContain('device.lock');
    if (!line?.startsWith('at ')) break;
  }
  expect(await readLockOwner(path)).toMatchObject({ pid: taker.child.pid });
});
