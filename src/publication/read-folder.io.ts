import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FolderFiles } from './check-sums.ts';

/** Every file of a folder; folders in it are named with no bytes, so that they do not pass unseen. */
export function readFolder(folder: string): FolderFiles {
  return new Map(
    readdirSync(folder)
      .sort()
      .map((name) => {
        const path = join(folder, name);
        return [name, statSync(path).isFile() ? readFileSync(path) : new Uint8Array()];
      }),
  );
}
