import { stat } from 'node:fs/promises';
import { RooflawError } from '../errors.ts';
import { hashFile } from '../gguf/hash-file.io.ts';

/** Files whose hash was checked, watched for changes from then on: models, libraries, the runner. */
export interface CheckedFiles {
  /** Remembers a file just after its hash was checked. */
  add(sha256: string, path: string): Promise<void>;
  /**
   * Remembers a file whose hash was checked some time ago, once it is seen to be that file still.
   * @throws RooflawError `model-mismatch`
   */
  addAgain(sha256: string, path: string): Promise<void>;
  /**
   * Looks whether a file is still the one that was checked. One that was touched or replaced is
   * hashed again, so that another process that put the same bytes there does no harm.
   * @returns its path. @throws RooflawError `model-mismatch`
   */
  open(sha256: string): Promise<string>;
  /** The same for every file. */
  openAll(): Promise<void>;
}

interface CheckedFile {
  path: string;
  sha256: string;
  /** Device, inode, size and times of change: a file that was written to differs in one of them. */
  signature: string;
}

/** @returns null where there is no regular file: a pipe would never end. */
async function signatureOf(path: string): Promise<string | null> {
  const stats = await stat(path, { bigint: true }).catch(() => null);
  if (stats === null || !stats.isFile()) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return [dev, ino, size, mtimeNs, ctimeNs].join('/');
}

/** @param signal ends the hashing of a file that was touched, which can take minutes */
export function createCheckedFiles(signal?: AbortSignal): CheckedFiles {
  const files: CheckedFile[] = [];

  async function look(file: CheckedFile): Promise<void> {
    const signature = await signatureOf(file.path);
    if (signature === file.signature) return;
    if (signature !== null && (await hashAgain(file.path)) === file.sha256) {
      file.signature = signature;
      return;
    }
    throw new RooflawError('model-mismatch', `${file.path} changed during the campaign`, {
      hint: 'nothing that was measured on it is counted; put the file back before you go on (generated models are made again)',
    });
  }

  /** @returns null where it cannot be read any more */
  async function hashAgain(path: string): Promise<string | null> {
    try {
      return await hashFile(path, { signal });
    } catch (error) {
      if (error instanceof RooflawError) throw error;
      return null;
    }
  }

  return {
    async add(sha256, path) {
      const signature = await signatureOf(path);
      if (signature === null) throw new Error(`${path} was checked and is no file`);
      files.push({ path, sha256, signature });
    },
    async addAgain(sha256, path) {
      const file = { path, sha256, signature: '' }; // none is like it, so that it is hashed
      await look(file);
      files.push(file);
    },
    async open(sha256) {
      // copies of one file are files of their own: each can change
      const same = files.filter((file) => file.sha256 === sha256);
      if (same.length === 0) throw new Error(`the file ${sha256} was not checked`);
      await Promise.all(same.map(look));
      return same[0]!.path;
    },
    async openAll() {
      await Promise.all(files.map(look));
    },
  };
}
