import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { isNotFound, RooflawError, throwFaults } from '../errors.ts';
import { decodeJson } from '../formats/parse.ts';
import { type Protocol, protocolSchema } from '../formats/protocol.ts';
import { identityOf } from '../hash.ts';
import { mostDocumentBytes, readText } from '../read-text.io.ts';
import { findProtocolFaults } from './protocol-faults.ts';

const folder = new URL('../../protocols/', import.meta.url);

/** Names of the protocols that come with the program. */
export function listProtocols(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort();
}

/**
 * Reads a shipped protocol by its name, or any protocol by its file.
 * @throws RooflawError `not-found`, or `invalid-input` with every fault.
 */
export function readProtocol(nameOrPath: string): Protocol {
  const shipped = listProtocols();
  const source = shipped.includes(nameOrPath) ? new URL(`${nameOrPath}.json`, folder) : nameOrPath;
  let text: string;
  try {
    text = readText(source, mostDocumentBytes);
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    throw new RooflawError('not-found', `there is no protocol "${nameOrPath}"`, {
      hint: `name a file, or one of: ${shipped.join(', ')}`,
      cause,
    });
  }
  const subject = `protocol ${nameOrPath}`;
  const value = decodeJson(text, subject);
  throwFaults(subject, findProtocolFaults(value));
  return protocolSchema.parse(value);
}

/** Hash of each shipped protocol, with its name: who may call a result "v1". */
export function hashShippedProtocols(): Map<string, string> {
  return new Map(listProtocols().map((name) => [identityOf(readProtocol(name)), name]));
}
