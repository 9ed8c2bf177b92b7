import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { cacheHint, explainFileError } from '../file-error.ts';

/**
 * Models and compiled runners, shared by all campaigns of this user (XDG base directories). It is
 * there when this returns. @throws RooflawError `not-writable`, `no-space`
 */
export function cacheFolder(): string {
  const base = process.env.XDG_CACHE_HOME;
  const root = base !== undefined && isAbsolute(base) ? base : join(homedir(), '.cache');
  const folder = join(root, 'rooflaw');
  makeFolders(folder);
  return folder;
}

/** One by one: Node's recursive way never ends where a folder such as /proc takes none. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw explainFileError(error, folder, cacheHint);
  }
}
