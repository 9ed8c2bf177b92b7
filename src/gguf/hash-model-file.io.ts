import type { BigIntStats } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { RooflawError } from '../errors.ts';
import { identityOf } from '../hash.ts';
import { isSameState, recallHash, rememberHash } from './hash-cache.io.ts';
import { hashOpenFile } from './hash-file.io.ts';
import { openRegularFile, toReadError } from './regular-file.io.ts';

export interface HashModelFileOptions {
  /** Hashes are remembered in its folder `hashes`. */
  cacheDirectory: string;
  /** Bytes of all parts; what is remembered is done at once. */
  onProgress?: (bytesDone: number, bytesTotal: number) => void;
  signal?: AbortSignal;
}

export interface ModelFileHash {
  /** Of the file; of a split model, of the canonical JSON of the list of its parts' hashes. */
  sha256: string;
  parts: { name: string; bytes: number; sha256: string }[];
}

/**
 * Hashes a model. A file that has not changed since it was hashed last is not read again: device,
 * inode, size and the times of the last changes, in nanoseconds, tell.
 * @throws RooflawError `not-found`, `invalid-input`, `interrupted`, and `model-mismatch` when a file
 * changes while it is hashed
 */
export async function hashModelFile(
  paths: string[],
  options: HashModelFileOptions,
): Promise<ModelFileHash> {
  const { cacheDirectory, onProgress, signal } = options;
  const folder = join(cacheDirectory, 'hashes');
  const sizes = await Promise.all(paths.map(sizeOf));
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  let done = 0;
  const parts: ModelFileHash['parts'] = [];
  for (const path of paths) {
    const onPartProgress = (bytes: number) => onProgress?.(done + bytes, total);
    const { bytes, sha256 } = await hashPart(path, folder, onPartProgress, signal);
    done += bytes;
    parts.push({ name: basename(path), bytes, sha256 });
  }
  const hashes = parts.map(({ sha256 }) => sha256);
  return { sha256: hashes.length === 1 ? hashes[0]! : identityOf(hashes), parts };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw toReadError(error, path);
  }
}

/** What a person who stops it is told. */
const stop = { message: 'stopped while a model was hashed', hint: 'the same command begins again' };

async function hashPart(
  path: string,
  folder: string,
  onProgress: (bytesDone: number) => void,
  signal: AbortSignal | undefined,
): Promise<{ bytes: number; sha256: string }> {
  try {
    await using file = await openRegularFile(path);
    const before = await file.stat({ bigint: true });
    const bytes = Number(before.size);
    const remembered = await recallHash(folder, before);
    if (remembered !== undefined) {
      onProgress(bytes);
      return { bytes, sha256: remembered };
    }
    const sha256 = await hashOpenFile(file, { onProgress, signal, stop });
    await requireUnchanged(file, before, path);
    await rememberHash(folder, before, sha256);
    return { bytes, sha256 };
  } catch (error) {
    throw toReadError(error, path);
  }
}

async function requireUnchanged(file: FileHandle, before: BigIntStats, path: string) {
  if (isSameState(before, await file.stat({ bigint: true }))) return;
  throw new RooflawError('model-mismatch', `${path} changed while it was hashed`, {
    hint: 'wait until whatever writes it (a download?) is done, and try again',
  });
}
