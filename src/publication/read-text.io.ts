import { existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import { RooflawError } from '../errors.ts';
import { cutText } from '../formats/strict-csv.ts';

/** A table of a million repetitions has about 80 MB; a text must fit into memory. */
const mostBytes = 256 * 2 ** 20;

/**
 * Text of a regular file in UTF-8, without a byte order mark. A device or a pipe may never end, so
 * it is refused.
 * @throws RooflawError `not-found`, `invalid-input`
 */
export function readText(path: string): string {
  const bytes = readBytes(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new RooflawError('invalid-input', `${cutText(path, 80)} is not text in UTF-8`, {
      hint: 'save it as UTF-8 (some spreadsheets write UTF-16)',
      cause,
    });
  }
}

function readBytes(path: string): Buffer {
  const name = cutText(path, 80);
  try {
    const status = statSync(path);
    refuseUnlessFile(status, name);
    return readFileSync(path);
  } catch (cause) {
    if (cause instanceof RooflawError) throw cause;
    throw new RooflawError('not-found', `cannot read ${name}`, {
      hint: 'name a file that is there and that you may read',
      cause,
    });
  }
}

function refuseUnlessFile(status: Stats, name: string): void {
  if (status.isFile() && status.size <= mostBytes) return;
  const what = status.isFile() ? 'is larger than 256 MiB' : 'is no regular file';
  throw new RooflawError('invalid-input', `${name} ${what}`, {
    hint: 'name a table that was written to a file',
  });
}

/** null where there is no such file. */
export function readTextIfThere(path: string): string | null {
  return existsSync(path) ? readText(path) : null;
}
