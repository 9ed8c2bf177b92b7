import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { explainFileError } from '../file-error.ts';

/**
 * A folder and those above it, one by one: Node's own recursive way never ends where a folder such as
 * /proc takes none, and calls a read-only file system a missing folder.
 * @param hint what to try where it cannot be made
 * @throws RooflawError `not-writable`, `no-space`
 */
export function makeFolders(folder: string, hint: string): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), hint);
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw explainFileError(error, folder, hint);
  }
}
