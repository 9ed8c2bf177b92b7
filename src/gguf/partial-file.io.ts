import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** `NAME.PID-RANDOM.partial`: unfinished, and whose it is. */
const partialPattern = /\.(\d+)-[0-9a-f]{8}\.partial$/;

/**
 * Milliseconds without a write after which a file is abandoned when its process cannot be seen: that
 * of another container may be alive, but then it writes at least once a second.
 */
const abandonedAfterMs = 10 * 60_000;

/** A name beside `path` that no other process and no other call uses. */
export function choosePartialPath(path: string): string {
  const random = randomBytes(4).toString('hex');
  return join(dirname(path), `${basename(path)}.${process.pid}-${random}.partial`);
}

/** Removes what crashed runs left in a folder. */
export async function removeAbandonedPartials(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const owner = partialPattern.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const path = join(folder, name);
    const idleMs = Date.now() - (await lastWriteMs(path));
    if (idleMs > abandonedAfterMs) await rm(path, { force: true });
  }
}

async function lastWriteMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return Date.now(); // its owner has just renamed or removed it
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // there, and not ours
  }
}
