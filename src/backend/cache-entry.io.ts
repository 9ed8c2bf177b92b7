import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheHint, explainFileError } from '../file-error.ts';

/**
 * A folder of the cache that is complete as soon as it has its name: `fill` writes into a temporary
 * folder beside it, which is then renamed. Of several processes that do so at once, one wins and the
 * others use its folder.
 * @throws RooflawError `not-writable`, `no-space`, and whatever `fill` throws.
 */
export async function ensureCacheEntry(
  path: string,
  fill: (temporary: string) => Promise<void>,
): Promise<void> {
  if (await exists(path)) return;
  const temporary = join(dirname(path), `.partial-${randomUUID()}`);
  try {
    await mkdir(temporary, { recursive: true });
    await fill(temporary);
    await rename(temporary, path);
  } catch (error) {
    if (await exists(path)) return; // another process was faster
    throw explainFileError(error, `into ${dirname(path)}`, cacheHint);
  } finally {
    await rm(temporary, { recursive: true, force: true }).catch(() => {});
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
