import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { chooseDraftPath } from '../drafts.io.ts';
import { sha256Hex } from '../hash.ts';
import { syncFolder } from '../sync-folder.io.ts';

/** What a crash left behind the last newline, set aside under this name. */
export interface TornLine {
  file: string;
  bytes: number;
  sha256: string;
}

const tornName = /^ledger\.torn-[0-9a-f]{12}$/;

/**
 * Copies the bytes after the last newline to a file of their own, then cuts them off.
 * @param start where they begin
 */
export async function setTornLineAside(
  ledger: FileHandle,
  folder: string,
  start: number,
  bytes: number,
): Promise<TornLine> {
  const torn = Buffer.alloc(bytes);
  const { bytesRead } = await ledger.read(torn, 0, bytes, start);
  if (bytesRead !== bytes)
    throw new Error(`read ${bytesRead} of the ${bytes} bytes of a torn line`);
  const sha256 = sha256Hex(torn);
  const file = `ledger.torn-${sha256.slice(0, 12)}`;
  await writeWhole(join(folder, file), torn);
  await ledger.truncate(start);
  await ledger.sync();
  return { file, bytes, sha256 };
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = chooseDraftPath(path);
  try {
    {
      await using copy = await open(draft, 'wx', 0o644);
      await copy.writeFile(bytes);
      await copy.sync();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}); // it hides no other error
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The torn lines that were ever set aside beside a ledger, by name; what was edited since is none. */
export async function listTornLines(path: string): Promise<TornLine[]> {
  const names = (await readdir(dirname(path))).filter((name) => tornName.test(name)).sort();
  const lines: TornLine[] = [];
  for (const file of names) {
    const content = await readOwnFile(join(dirname(path), file));
    if (content === null) continue;
    const sha256 = sha256Hex(content);
    if (file.endsWith(sha256.slice(0, 12))) lines.push({ file, bytes: content.length, sha256 });
  }
  return lines;
}

/** null: a link, a pipe or a folder in the place of a file, which may lead anywhere and never end. */
async function readOwnFile(path: string): Promise<Buffer | null> {
  try {
    await using file = await open(path, readAsIs);
    return (await file.stat()).isFile() ? await file.readFile() : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return null;
    throw error;
  }
}

const readAsIs = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
