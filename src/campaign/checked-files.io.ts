import { stat } from 'node:fs/promises';
import { RooflawError } from '../errors.ts';
import { hashFile } from '../gguf/hash-file.io.ts';

/** Files whose hash was checked, watched for changes from then on: models, libraries, the runner. */
export interface CheckedFiles {
  /** Remembers a file just after its hash was checked. */
  add(sha256: string, path: string): Promise<void>;
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
  /** Device, inode, size and times of change: a file that was written to differs in one of them. */
  signature: string;
}

async function signatureOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join('/');
}

export function createCheckedFiles(): CheckedFiles {
  const files = new Map<string, CheckedFile>();

  async function open(sha256: string): Promise<string> {
    const file = files.get(sha256);
    if (file === undefined) throw new Error(`the file ${sha256} was not checked`);
    const signature = await signatureOf(file.path).catch(() => 'gone');
    if (signature === file.signature) return file.path;
    if (signature !== 'gone' && (await hashFile(file.path)) === sha256) {
      files.set(sha256, { ...file, signature });
      return file.path;
    }
    throw new RooflawError('model-mismatch', `${file.path} changed during the campaign`, {
      hint: 'what was being measured is not counted; put the file back and run the same command again (generated models are made again)',
    });
  }

  return {
    async add(sha256, path) {
      files.set(sha256, { path, signature: await signatureOf(path) });
    },
    open,
    async openAll() {
      await Promise.all([...files.keys()].map(open));
    },
  };
}
