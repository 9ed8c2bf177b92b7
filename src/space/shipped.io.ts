import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { isNotFound, RooflawError } from '../errors.ts';
import type { Space } from '../formats/space.ts';
import { mostDocumentBytes, readText } from '../read-text.io.ts';
import { parseSpace } from './parse-space.ts';

const folder = new URL('../../spaces/', import.meta.url);

/** Names of the spaces that come with the program. */
export function listSpaces(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort();
}

/**
 * Reads a shipped space by its name, or any space by its file.
 * @throws RooflawError `not-found`, or `invalid-input` with every fault.
 */
export function readSpace(nameOrPath: string): Space {
  const shipped = listSpaces();
  const source = shipped.includes(nameOrPath) ? new URL(`${nameOrPath}.json`, folder) : nameOrPath;
  let text: string;
  try {
    text = readText(source, mostDocumentBytes);
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    throw new RooflawError('not-found', `there is no space "${nameOrPath}"`, {
      hint: `name a file, or one of: ${shipped.join(', ')}`,
      cause,
    });
  }
  return parseSpace(text, `space ${nameOrPath}`);
}
