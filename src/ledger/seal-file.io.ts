import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { abandonedAfterMs, chooseDraftPath, removeDrafts } from '../drafts.io.ts';
import { explainFileError } from '../file-error.ts';
import { parseText } from '../formats/parse.ts';
import { type Seal, sealFileSchema } from '../formats/seal.ts';
import { readText } from '../read-text.io.ts';
import { syncFolder } from '../sync-folder.io.ts';

export const sealFile = 'seal.json';

/** Thousands of seals; each takes a tenth of a millisecond to check. */
const mostSealBytes = 2 ** 20;

/** Where the seals of a ledger lie. */
export const sealPathOf = (ledger: string) => join(dirname(ledger), sealFile);

/**
 * The seals beside a ledger in the order of the file; none where there is no such file.
 * @throws RooflawError `invalid-input` for a file that is there and holds no seals
 */
export function readSeals(ledger: string): Seal[] {
  const path = sealPathOf(ledger);
  if (!existsSync(path)) return [];
  return parseText(sealFileSchema, readText(path, mostSealBytes), path);
}

/** Puts seals in the place of those that were there: the whole list or nothing. */
export async function writeSeals(ledger: string, seals: readonly Seal[]): Promise<void> {
  const path = sealPathOf(ledger);
  const draft = chooseDraftPath(path);
  removeDrafts(dirname(path), (name) => name === basename(path), abandonedAfterMs);
  try {
    const file = await open(draft, 'wx', 0o644);
    try {
      await file.writeFile(`${JSON.stringify(seals, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}); // it hides no other error
    throw explainFileError(error, path, 'make room or allow writing in the folder of the campaign');
  }
}
