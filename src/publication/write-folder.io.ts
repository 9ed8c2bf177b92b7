import { closeSync, existsSync, fsyncSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { RooflawError } from '../errors.ts';
import { explainFileError } from '../file-error.ts';
import type { PublishedFile } from './facts.ts';

/**
 * Writes a folder that must not exist, whole or not at all: into a draft beside it, which is read
 * back, checked, synced to disk and renamed.
 * @param check looks at the files as they lie on the disk; when it throws nothing is left behind
 * @throws RooflawError `already-exists`, `not-writable`, `no-space`, or what `check` throws
 */
export async function writeNewFolder(
  folder: string,
  files: readonly PublishedFile[],
  check: (written: readonly PublishedFile[]) => void,
): Promise<void> {
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) {
    const kind = existsSync(folder) ? '' : ' (a link to what is not there)';
    throw new RooflawError('already-exists', `${folder} exists already${kind}`, {
      hint: 'a publication is never overwritten: choose another --out, or delete it yourself',
    });
  }
  const draft = `${resolve(folder)}.${process.pid}.part`;
  try {
    await mkdir(draft);
    for (const { name, text } of files) {
      await writeFile(join(draft, name), text, { flag: 'wx', flush: true });
    }
    check(files.map(({ name }) => ({ name, text: readFileSync(join(draft, name), 'utf8') })));
    syncFolder(draft);
    await rename(draft, folder);
    syncFolder(dirname(resolve(folder)));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw explainFileError(
      error,
      folder,
      'choose a folder that exists, that has room and that you may write to',
    );
  }
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
