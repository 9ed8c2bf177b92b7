import { canonicalJson } from '../hash.ts';
import { decodeLine } from './decode-line.ts';

/** What ties a line to the one before; null where the line has no such member. */
export interface Link {
  isCanonical: boolean;
  prev: string | null;
  seq: number | null;
}

const openBrace = 0x7b;

/** Reads how a line is tied, without reading what it says. null when it is no JSON object in UTF-8. */
export function readLink(bytes: Uint8Array): Link | null {
  if (bytes[0] !== openBrace) return null; // at no cost, where a million lines are empty
  const line = decodeLine(bytes);
  if (line === null) return null;
  const { prev, seq } = (line.value ?? {}) as { prev?: unknown; seq?: unknown };
  return {
    isCanonical: isCanonical(line.text, line.value),
    prev: typeof prev === 'string' ? prev : null,
    seq: typeof seq === 'number' ? seq : null,
  };
}

/**
 * JSON.stringify, when all keys are in order already, writes canonical JSON and is much faster; what
 * it could not have written is looked at in full.
 */
function isCanonical(text: string, value: unknown): boolean {
  try {
    if (hasSortedKeys(value) && JSON.stringify(value) === text && !text.includes('\\ud'))
      return true;
    return canonicalJson(value) === text;
  } catch {
    return false; // a lone surrogate, or deeper than any entry
  }
}

function hasSortedKeys(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(hasSortedKeys);
  let last = '';
  for (const key in value) {
    if (key < last || !hasSortedKeys((value as Record<string, unknown>)[key])) return false;
    last = key;
  }
  return true;
}
