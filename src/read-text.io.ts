import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { RooflawError } from './errors.ts';
import { formatBytes } from './units.ts';

/** A table of a million repetitions has about 80 MB; a text must fit into memory. */
export const mostTableBytes = 256 * 2 ** 20;
/** Far above any plan, space, protocol or list of seals. */
export const mostDocumentBytes = 64 * 2 ** 20;

/**
 * Text of a regular file in UTF-8, without a byte order mark. A device or a pipe may never end, so
 * it is refused, unread.
 * @throws RooflawError `not-found`, `invalid-input`
 */
export function readText(path: string | URL, mostBytes: number): string {
  const name = nameOf(path);
  const bytes = readBytes(path, mostBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new RooflawError('invalid-input', `${name} is not text in UTF-8`, {
      hint: 'save it as UTF-8 (some spreadsheets write UTF-16)',
      cause,
    });
  }
}

/** null where there is no such file. */
export function readTextIfThere(path: string, mostBytes: number): string | null {
  return existsSync(path) ? readText(path, mostBytes) : null;
}

function readBytes(path: string | URL, mostBytes: number): Buffer {
  const name = nameOf(path);
  let file: number | undefined;
  try {
    // opening a pipe would wait for its writer
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(file);
    if (!status.isFile()) throw unfit(name, status.isDirectory() ? 'is a folder' : notRegular);
    if (status.size > mostBytes) throw unfit(name, `is larger than ${formatBytes(mostBytes)}`);
    return readAll(file, status.size);
  } catch (cause) {
    if (cause instanceof RooflawError) throw cause;
    throw new RooflawError('not-found', `cannot read ${name}: ${(cause as Error).message}`, {
      hint: 'name a file that is there and that you may read',
      cause,
    });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** As many bytes as the file had when it was looked at, whatever is added meanwhile. */
function readAll(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const count = readSync(file, bytes, length, size - length, null);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

const nameOf = (path: string | URL) => String(path).slice(0, 200);
const notRegular = 'is no regular file';

function unfit(name: string, what: string): RooflawError {
  return new RooflawError('invalid-input', `${name} ${what}`, {
    hint: 'name a file; what a program prints must be written to one first',
  });
}
