import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBootId } from '../device/boot-id.io.ts';
import { readPidNamespace } from '../device/pid-namespace.io.ts';
import { RooflawError } from '../errors.ts';
import { explainFileError } from '../file-error.ts';

export interface LockOwner {
  pid: number;
  /** Clock ticks since boot when the process began: tells a reused pid from the owner's. */
  startTicks: string | null;
  bootId: string | null;
  /** Process numbers of another namespace (a container) mean nothing here. */
  pidNamespace: string | null;
  campaign: string;
}

export interface Lock {
  /** A lock of a dead process that was in the way, in words, or null. */
  takenOver: string | null;
  release(): Promise<void>;
}

/**
 * Where the lock of a device lies: one for the machine, whoever measures and whatever TMPDIR says.
 * ROOFLAW_LOCKS names another folder, for tests that must not meet.
 */
export function lockPathOf(device: string): string {
  const folder = process.env.ROOFLAW_LOCKS ?? (process.platform === 'win32' ? tmpdir() : '/tmp');
  return join(folder, `rooflaw-${device.replaceAll(/[^A-Za-z0-9]/g, '_')}.lock`);
}

/**
 * Takes a lock file for this process, or names who has it. A lock whose owner is dead, or was alive
 * before the last boot, is taken over.
 * @param use what the lock is for, in words: "device CPU".
 * @throws RooflawError `busy` with the owner.
 */
export async function takeLock(path: string, campaign: string, use: string): Promise<Lock> {
  const owner: LockOwner = {
    pid: process.pid,
    startTicks: await readStartTicks(process.pid),
    bootId: await readBootId(),
    pidNamespace: readPidNamespace(),
    campaign,
  };
  let takenOver: string | null = null;
  for (let attempt = 0; attempt < 10; attempt++) {
    const own = JSON.stringify(owner);
    if (await createExclusively(path, own)) return { takenOver, release: () => release(path, own) };
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) continue; // released meanwhile
    const other = parseOwner(text);
    if (other !== null && (await isAlive(other))) {
      throw new RooflawError(
        'busy',
        `${use} is in use: process ${other.pid} works on campaign ${other.campaign}`,
        { hint: hintFor(other, path) },
      );
    }
    await removeStale(path, text);
    takenOver = `the lock of ${use}, left behind by process ${other?.pid ?? 'unknown'}, was taken over`;
  }
  throw new RooflawError('busy', `could not take the lock ${path}`, {
    hint: 'other campaigns are starting at the same moment: try again',
  });
}

/** Gives a lock back, unless another process took it over meanwhile. */
async function release(path: string, own: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => null)) === own) await rm(path, { force: true });
}

function hintFor(other: LockOwner, path: string): string {
  return other.pidNamespace === readPidNamespace()
    ? 'two campaigns at once would disturb each other: wait for that one, or stop it'
    : `it runs in another container, so nobody here can tell whether it lives; if it does not, delete ${path}`;
}

async function createExclusively(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  try {
    const file = await open(draft, flags, 0o644);
    await file.writeFile(text);
    await file.close();
    await link(draft, path); // the lock appears with its owner in it, never empty
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw explainFileError(error, `the lock ${path}`, 'make room and allow writing there');
  } finally {
    await rm(draft, { force: true });
  }
}

/** Moves a stale lock away; if another process replaced it meanwhile, puts that one back. */
async function removeStale(path: string, staleText: string): Promise<void> {
  const aside = `${path}.stale.${randomUUID()}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, 'utf8')) !== staleText) await link(aside, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPERM' || code === 'EACCES') {
      throw new RooflawError('busy', `a stale lock of another user is in the way: ${path}`, {
        hint: 'ask its owner, or an administrator, to delete that file',
        cause: error,
      });
    }
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

function parseOwner(text: string): LockOwner | null {
  try {
    const value = JSON.parse(text) as LockOwner;
    return Number.isInteger(value.pid) && value.pid > 0 ? value : null;
  } catch {
    return null;
  }
}

async function isAlive(owner: LockOwner): Promise<boolean> {
  if (owner.bootId !== (await readBootId())) return false;
  if (owner.pidNamespace !== readPidNamespace()) return true; // it cannot be told, so it is believed
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return (await readStartTicks(owner.pid)) === owner.startTicks;
}

/** Field 22 of /proc/PID/stat, or null where there is no such file. */
async function readStartTicks(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

/** Who holds a lock now; null when nobody alive does. */
export async function readLockOwner(path: string): Promise<LockOwner | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  const owner = text === null ? null : parseOwner(text);
  return owner !== null && (await isAlive(owner)) ? owner : null;
}
