import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { explainFileError } from '../file-error.ts';
import { parseText } from '../formats/parse.ts';
import { type Seal, sealFileSchema } from '../formats/seal.ts';

export const sealFile = 'seal.json';

/** Where the seals of a ledger lie. */
export const sealPathOf = (ledger: string) => join(dirname(ledger), sealFile);

/**
 * The seals beside a ledger in the order of the file; none where there is no such file.
 * @throws RooflawError `invalid-input` for a file that is there and holds no seals
 */
export function readSeals(ledger: string): Seal[] {
  const path = sealPathOf(ledger);
  if (!existsSync(path)) return [];
  return parseText(sealFileSchema, readFileSync(path, 'utf8'), path);
}

/** Puts seals in the place of those that were there: the whole list or nothing. */
export async function writeSeals(ledger: string, seals: readonly Seal[]): Promise<void> {
  const path = sealPathOf(ledger);
  const draft = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(draft, 'wx', 0o644);
    try {
      await file.writeFile(`${JSON.stringify(seals, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw explainFileError(error, path, 'make room or allow writing in the folder of the campaign');
  }
}
