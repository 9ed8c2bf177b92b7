import { existsSync, writeFileSync } from 'node:fs';
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
  writeOutput(path, text, 'wx');
}

/** Writes a file, over an older one if there is one. @throws RooflawError `not-writable`, `no-space` */
export function writeOutput(path: string, text: string, flag: 'w' | 'wx' = 'w'): void {
  try {
    writeFileSync(path, text, { flag });
  } catch (error) {
    throw explainFileError(
      error,
      path,
      'choose a folder that exists, that has room and that you may write to',
    );
  }
}
