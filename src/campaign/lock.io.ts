import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBootId } from '../device/boot-id.io.ts';
import { readPidNamespace } from '../device/pid-namespace.io.ts';
import { RooflawError } from '../errors.ts';
import { explainFileError } from '../file-error.ts';
import { sha256Hex } from '../hash.ts';

export interface LockOwner {
  pid: number;
  /** Clock ticks since boot when the process began: tells a reused pid from the owner's. */
  startTicks: string | null;
  bootId: string | null;
  /** Process numbers of another namespace (a container) mean nothing here. */
  pidNamespace: string | null;
  campaign: string;
  /** No two locks have one text. */
  nonce?: string;
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
  const folder = process.env.ROOFLAW_LOCKS || (process.platform === 'win32' ? tmpdir() : '/tmp');
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
    nonce: randomUUID(),
  };
  const own = JSON.stringify(owner);
  const taken = (takenOver: string | null) => ({ takenOver, release: () => release(path, own) });
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    if (await createExclusively(path, own)) return taken(null);
    const text = await readLock(path);
    if (text === null) continue; // released meanwhile
    const other = parseOwner(text);
    const life = other === null ? 'unknown' : await judgeLife(other);
    if (other !== null && life === 'alive') {
      throw new RooflawError(
        'busy',
        `${use} is in use: process ${other.pid} works on campaign ${other.campaign}`,
        { hint: hintFor(other, path) },
      );
    }
    if (await replaceLeft(path, text, own)) {
      return taken(describeTakeover(use, campaign, other, life));
    }
    await sleep(retryMs);
  }
  throw new RooflawError('busy', `could not take the lock ${path}`, {
    hint: `other campaigns are starting at the same moment: try again; if there is none, delete what lies beside it as ${path}.*`,
  });
}

/** Milliseconds; whoever replaces a stale lock is done in less. */
const retryMs = 5;
const mostAttempts = 200;

/** For the ledger, which is published: how others call their campaigns is theirs. */
function describeTakeover(
  use: string,
  campaign: string,
  other: LockOwner | null,
  life: Life,
): string {
  if (other === null) return `the lock of ${use}, which named no owner, was taken over`;
  const whose = other.campaign === campaign ? `campaign ${campaign}` : 'another campaign';
  return `the lock of ${use}, left behind by process ${other.pid} of ${whose}, was taken over: ${reasons[life]}`;
}

/** Gives a lock back, unless another process took it over meanwhile. */
async function release(path: string, own: string): Promise<void> {
  if ((await readLock(path).catch(() => null)) === own) await rm(path, { force: true });
}

function hintFor(other: LockOwner, path: string): string {
  return other.pidNamespace === readPidNamespace()
    ? 'two campaigns at once would disturb each other: wait for that one, or stop it'
    : `it runs in another container, so nobody here can tell whether it lives; if it does not, delete ${path}`;
}

async function createExclusively(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeDraft(draft, text);
    await link(draft, path); // the lock appears with its owner in it, never empty
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw explainFileError(error, `the lock ${path}`, 'make room and allow writing there');
  } finally {
    await rm(draft, { force: true }).catch(() => {}); // what is left of it is nobody's lock
  }
}

async function writeDraft(path: string, text: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  await using file = await open(path, flags, 0o644);
  await file.writeFile(text);
  await file.chmod(0o644); // whatever the umask: other users must be able to read who it is
}

/** A lock has some hundred bytes. */
const mostLockBytes = 65_536;

/**
 * What a lock file says; null when there is none. A pipe is not opened, since that would wait.
 * @throws RooflawError `not-writable` where something else is in the way, `busy` where it may not be read
 */
async function readLock(path: string): Promise<string | null> {
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size > mostLockBytes) throw somethingElse(path);
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    await using file = await open(path, flags);
    return (await file.stat()).isFile() ? await file.readFile('utf8') : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === 'EACCES' || code === 'EPERM') {
      throw new RooflawError('busy', `the lock of another user is in the way: ${path}`, {
        hint: 'wait until that campaign has ended; if there is none, ask an administrator to delete the file',
        cause: error,
      });
    }
    throw error;
  }
}

const somethingElse = (path: string) =>
  new RooflawError('not-writable', `cannot take the lock ${path}: something else is there`, {
    hint: 'it is a link, a folder, a pipe or a large file, and no lock: see what it is and delete it',
  });

/**
 * Puts this process's lock in the place of one that a dead owner left. Of two who have read it, the
 * slower must not replace the lock of the faster: it is replaced only by whoever holds the file that is
 * named by its text. No two locks have one text, so that one whose text is still there under that file
 * can be replaced by nobody else. That file becomes the lock, so that whoever gets it knows whose it was.
 * @returns false where another was faster
 */
async function replaceLeft(path: string, leftText: string, own: string): Promise<boolean> {
  const right = `${path}.${sha256Hex(leftText).slice(0, 32)}`;
  if (!(await createExclusively(right, own)) && !(await replaceLeftRight(right, own))) return false;
  let isReplaced = false;
  try {
    if ((await readLock(path)) === leftText) {
      await rename(right, path);
      isReplaced = true;
    }
    return isReplaced;
  } catch (error) {
    throw explainReplacing(error, path);
  } finally {
    // what cannot be removed is a left lock as soon as this process has ended
    if (!isReplaced) await rm(right, { force: true }).catch(() => {});
  }
}

/** The file of a holder who died is a left lock in its turn. */
async function replaceLeftRight(right: string, own: string): Promise<boolean> {
  const text = await readLock(right);
  if (text === null) return false;
  const holder = parseOwner(text);
  if (holder !== null && (await isAlive(holder))) return false;
  return replaceLeft(right, text, own);
}

function explainReplacing(error: unknown, path: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code !== 'EPERM' && code !== 'EACCES') {
    return explainFileError(error, `the lock ${path}`, 'make room and allow writing there');
  }
  return new RooflawError('busy', `a stale lock of another user is in the way: ${path}`, {
    hint: 'ask its owner, or an administrator, to delete that file',
    cause: error,
  });
}

function parseOwner(text: string): LockOwner | null {
  try {
    const value = JSON.parse(text) as LockOwner;
    return isOwner(value) ? value : null;
  } catch {
    return null;
  }
}

/** Anybody may write where locks lie: what is no owner is a lock left behind. */
function isOwner({ pid, campaign }: LockOwner): boolean {
  return Number.isInteger(pid) && pid > 0 && typeof campaign === 'string';
}

type Life = 'alive' | 'ended' | 'another-boot' | 'number-reused' | 'unknown';
const reasons: Record<Life, string> = {
  alive: 'it is alive',
  ended: 'that process has ended',
  'another-boot': 'it is of an earlier start of the system',
  'number-reused': 'that number belongs to another process now',
  unknown: 'nothing is known of it',
};

async function judgeLife(owner: LockOwner): Promise<Life> {
  if (owner.bootId !== (await readBootId())) return 'another-boot';
  if (owner.pidNamespace !== readPidNamespace()) return 'alive'; // it cannot be told, so it is believed
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'ended';
  }
  const stat = await readStat(owner.pid);
  if (stat === null) return 'alive'; // it was there, and where it is hidden nothing more is known
  if (stat.state === 'Z' || stat.state === 'X') return 'ended'; // nobody has waited for it yet
  return stat.startTicks === owner.startTicks ? 'alive' : 'number-reused';
}

const isAlive = async (owner: LockOwner) => (await judgeLife(owner)) === 'alive';

const readStartTicks = async (pid: number) => (await readStat(pid))?.startTicks ?? null;

/** Fields 3 and 22 of /proc/PID/stat, or null where there is no such file. */
async function readStat(pid: number): Promise<{ state: string; startTicks: string } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? null : { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
}

/** Who holds a lock now; null when nobody alive does. */
export async function readLockOwner(path: string): Promise<LockOwner | null> {
  const text = await readLock(path).catch(() => null);
  const owner = text === null ? null : parseOwner(text);
  return owner !== null && (await isAlive(owner)) ? owner : null;
}
