import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { abandonedAfterMs, chooseDraftPath, removeDrafts } from '../drafts.io.ts';
import { RooflawError } from '../errors.ts';
import { explainFileError } from '../file-error.ts';

/** @throws RooflawError `already-exists` */
export function refuseExisting(path: string): void {
  if (!existsSync(path)) return;
  throw new RooflawError('already-exists', `${path} exists already`, {
    hint: 'it is never overwritten: choose another --out, or delete it yourself',
  });
}

/** Writes a file that must not exist. @throws RooflawError `already-exists`, `not-writable`, `no-space` */
export function writeNewFile(path: string, text: string): void {
  refuseExisting(path);
  writeOutput(path, text);
}

/** How much of a file is looked at to see what it is. */
const headBytes = 2048;

/**
 * Refuses to put an output where anything else lies: a ledger, a key, a device.
 * @param mark what stands in the beginning of each output of this kind
 * @throws RooflawError `already-exists`, `not-writable`
 */
export function refuseOther(path: string, mark: string): void {
  if (isFree(path, mark)) return;
  throw new RooflawError('already-exists', `${path} is there, and no earlier output of this kind`, {
    hint: 'nothing else is overwritten: choose another name, or move it away yourself',
  });
}

/** A link is replaced only where it leads to an earlier output: /dev/stdout may lead to an empty file. */
function isFree(path: string, mark: string): boolean {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) return true;
    const isEmpty = status.size === 0 && !lstatSync(path).isSymbolicLink();
    return status.isFile() && (isEmpty || readHead(path).includes(mark));
  } catch (error) {
    throw explainFileError(error, path, 'name a file in a folder that you may enter and write to');
  }
}

/** The first characters of a file, as bytes. */
export function readHead(path: string): string {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    return head.toString('latin1', 0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}

/**
 * Writes a file, in place of an older one if there is one; on failure that one stays as it was. When
 * it returns, the file and its name are on the disk. A symbolic link is replaced, not followed.
 * @throws RooflawError `not-writable`, `no-space`
 */
export function writeOutput(path: string, text: string): void {
  const draft = chooseDraftPath(path);
  removeDrafts(dirname(path), (name) => name === basename(path), abandonedAfterMs);
  try {
    writeAndSync(draft, text);
    renameSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    removeQuietly(draft);
    throw explainFileError(
      error,
      path,
      'choose a folder that exists, that has room and that you may write to',
    );
  }
}

function writeAndSync(path: string, text: string): void {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, text);
    fsyncSync(file); // before the name is given: no crash of the machine leaves it empty
  } finally {
    closeSync(file);
  }
}

/** As far as the system lets one: where a folder may not be read, or has no such call, that is all. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return; // Windows has no such call
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP'].includes(code)) throw error;
  }
}

/** The error that made it needless is the one to tell. */
function removeQuietly(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // the next writer removes it
  }
}
