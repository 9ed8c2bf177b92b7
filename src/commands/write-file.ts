import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/**
 * Writes a file, in place of an older one if there is one; on failure that one stays as it was. A
 * symbolic link is replaced, not followed.
 * @throws RooflawError `not-writable`, `no-space`
 */
export function writeOutput(path: string, text: string): void {
  const draft = `${path}.${process.pid}.part`;
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw explainFileError(
      error,
      path,
      'choose a folder that exists, that has room and that you may write to',
    );
  }
}
