import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { cacheHint } from '../file-error.ts';
import { makeFolders } from './make-folders.ts';

/**
 * Models and compiled runners, shared by all campaigns of this user (XDG base directories). It is
 * there when this returns. @throws RooflawError `not-writable`, `no-space`
 */
export function cacheFolder(): string {
  const base = process.env.XDG_CACHE_HOME;
  const root = base !== undefined && isAbsolute(base) ? base : join(homedir(), '.cache');
  const folder = join(root, 'rooflaw');
  makeFolders(folder, cacheHint);
  return folder;
}
