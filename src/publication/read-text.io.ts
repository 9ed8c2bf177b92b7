import { existsSync, readFileSync } from 'node:fs';
import { RooflawError } from '../errors.ts';

/** Text of a file in UTF-8, without a byte order mark. @throws RooflawError `not-found`, `invalid-input` */
export function readText(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new RooflawError('not-found', `cannot read ${path}`, {
      hint: 'name a file that is there and that you may read',
      cause,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new RooflawError('invalid-input', `${path} is not text in UTF-8`, {
      hint: 'save it as UTF-8 (some spreadsheets write UTF-16)',
      cause,
    });
  }
}

/** null where there is no such file. */
export function readTextIfThere(path: string): string | null {
  return existsSync(path) ? readText(path) : null;
}
