import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { RooflawError } from '../errors.ts';

/** Bytes read at a time; two such buffers take turns, so that reading and hashing overlap. */
const readBytes = 2 ** 21;

export interface HashFileOptions {
  signal?: AbortSignal | undefined;
  /** Hears after each piece how much is hashed. */
  onProgress?: ((bytesDone: number) => void) | undefined;
  /** What a person who stops it is told. */
  stop?: { message: string; hint?: string };
}

/**
 * Lower-case hexadecimal SHA-256 of a file, hashed on this thread while the system reads ahead.
 * @throws RooflawError `interrupted`
 */
export async function hashFile(path: string, options: HashFileOptions = {}): Promise<string> {
  await using file = await open(path, 'r');
  return await hashOpenFile(file, options);
}

/** The same of a file that is open, from its first byte. */
export async function hashOpenFile(
  file: FileHandle,
  { signal, onProgress, stop = { message: 'stopped while a file was hashed' } }: HashFileOptions,
): Promise<string> {
  const hash = createHash('sha256');
  let [current, next] = [Buffer.allocUnsafe(readBytes), Buffer.allocUnsafe(readBytes)];
  let done = 0;
  let { bytesRead } = await file.read(current, 0, readBytes, 0);
  while (bytesRead > 0) {
    if (signal?.aborted) {
      const { message, ...hint } = stop;
      throw new RooflawError('interrupted', message, { ...hint, cause: signal.reason });
    }
    const reading = file.read(next, 0, readBytes, done + bytesRead);
    hash.update(current.subarray(0, bytesRead));
    done += bytesRead;
    onProgress?.(done);
    ({ bytesRead } = await reading);
    [current, next] = [next, current];
  }
  return hash.digest('hex');
}
