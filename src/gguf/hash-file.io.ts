import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { stoppedBy } from './stopped-by.ts';

/** Bytes read at a time; two such buffers take turns. */
const readBytes = 2 ** 20;

/**
 * Lower-case hexadecimal SHA-256 of a file, hashed on this thread while the system reads ahead.
 * @throws RooflawError `interrupted`
 */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const file = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    let [current, next] = [Buffer.allocUnsafe(readBytes), Buffer.allocUnsafe(readBytes)];
    let { bytesRead } = await file.read(current);
    while (bytesRead > 0) {
      if (signal?.aborted) throw stoppedBy(signal);
      const reading = file.read(next);
      hash.update(current.subarray(0, bytesRead));
      ({ bytesRead } = await reading);
      [current, next] = [next, current];
    }
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}
