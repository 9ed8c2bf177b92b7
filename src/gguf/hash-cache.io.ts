import type { BigIntStats } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identityOf } from '../hash.ts';
import { choosePartialPath, removeAbandonedPartials } from './partial-file.io.ts';

/** What tells a file from every other, and from itself after a change. Decimal numbers. */
type FileState = Record<'device' | 'inode' | 'bytes' | 'modifiedNs' | 'changedNs', string>;

/**
 * Milliseconds since its last change after which a file's times can tell the next change from it:
 * file systems keep times in steps of up to 2 s.
 */
const settledAfterMs = 2000;

/** The SHA-256 of a file that was hashed in this state before; undefined when it is not known. */
export async function recallHash(folder: string, stats: BigIntStats): Promise<string | undefined> {
  const state = stateOf(stats);
  try {
    const entry: unknown = JSON.parse(await readFile(placeOf(folder, state), 'utf8'));
    const { sha256, ...known } = entry as FileState & { sha256: unknown };
    if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    return identityOf(known) === identityOf(state) ? sha256 : undefined;
  } catch {
    return undefined; // absent or damaged: the file is hashed again
  }
}

/**
 * Remembers a hash, unless the file was changed a moment ago. A cache that cannot be written costs
 * time at the next run, and nothing else.
 */
export async function rememberHash(
  folder: string,
  stats: BigIntStats,
  sha256: string,
): Promise<void> {
  if (Date.now() - Number(stats.ctimeMs) < settledAfterMs) return;
  const state = stateOf(stats);
  const path = placeOf(folder, state);
  const partial = choosePartialPath(path);
  try {
    await mkdir(folder, { recursive: true });
    await removeAbandonedPartials(folder);
    await writeFile(partial, `${JSON.stringify({ ...state, sha256 })}\n`, { flag: 'wx' });
    await rename(partial, path);
  } catch {
    await rm(partial, { force: true }).catch(() => {});
  }
}

/** Whether a file is what it was, as far as its times and size tell. */
export function isSameState(before: BigIntStats, after: BigIntStats): boolean {
  return identityOf(stateOf(before)) === identityOf(stateOf(after));
}

function placeOf(folder: string, state: FileState): string {
  return join(folder, `${identityOf(state)}.json`);
}

function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileState {
  return {
    device: String(dev),
    inode: String(ino),
    bytes: String(size),
    modifiedNs: String(mtimeNs),
    changedNs: String(ctimeNs),
  };
}
