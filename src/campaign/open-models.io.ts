import { stat } from 'node:fs/promises';
import { RooflawError } from '../errors.ts';

/** Model files whose hash was checked, watched for changes from then on. */
export interface CheckedModels {
  /** Remembers a file just after its hash was checked. */
  add(sha256: string, path: string): Promise<void>;
  /** @returns its path. @throws RooflawError `model-mismatch` when it was touched since. */
  open(sha256: string): Promise<string>;
}

interface FileState {
  path: string;
  /** Device, inode, size and times of change: a file that was written to differs in one of them. */
  signature: string;
}

async function signatureOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join('/');
}

export function createCheckedModels(): CheckedModels {
  const models = new Map<string, FileState>();
  return {
    async add(sha256, path) {
      models.set(sha256, { path, signature: await signatureOf(path) });
    },
    async open(sha256) {
      const model = models.get(sha256);
      if (model === undefined) throw new Error(`model ${sha256} was not checked`);
      const signature = await signatureOf(model.path).catch(() => 'gone');
      if (signature === model.signature) return model.path;
      throw new RooflawError(
        'model-mismatch',
        `${model.path} changed while it was being measured`,
        {
          hint: 'run the plan again: the file is checked, and made again if it is not what it was',
        },
      );
    },
  };
}
