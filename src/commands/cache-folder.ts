import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Models and compiled runners, shared by all campaigns of this user (XDG base directories). */
export function cacheFolder(): string {
  const base = process.env.XDG_CACHE_HOME;
  const root = base !== undefined && isAbsolute(base) ? base : join(homedir(), '.cache');
  return join(root, 'rooflaw');
}
