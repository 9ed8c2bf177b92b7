import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** `NAME.UUID.part`: what becomes NAME when it is whole. */
const draftPattern = /^(.+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/** No draft takes so long to write, so that its writer is dead. */
export const abandonedAfterMs = 60 * 60_000;

/** A name beside `path` that no other process uses, of this machine or another container. */
export const chooseDraftPath = (path: string): string => `${path}.${randomUUID()}.part`;

/**
 * Removes drafts that crashes left in a folder, as far as the disk lets it: one that stays does no harm.
 * @param isOf whether drafts of a file of this name are the caller's to remove
 */
export function removeDrafts(
  folder: string,
  isOf: (name: string) => boolean,
  olderThanMs: number,
): void {
  try {
    for (const entry of readdirSync(folder)) {
      const name = draftPattern.exec(entry)?.[1];
      if (name === undefined || !isOf(name)) continue;
      const path = join(folder, entry);
      if (Date.now() - lstatSync(path).mtimeMs >= olderThanMs) rmSync(path, { force: true });
    }
  } catch {
    // what is wrong with the disk shows in what is written next
  }
}
