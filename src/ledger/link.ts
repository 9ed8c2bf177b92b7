import { canonicalJson } from '../hash.ts';
import type { DecodedLine } from './decode-line.ts';

/** What ties a line to the one before; null where the line has no such member. */
export interface Link {
  isCanonical: boolean;
  prev: string | null;
  seq: number | null;
}

/** Reads how a line is tied, without reading what it says. null when it is no JSON object. */
export function readLink({ text, value }: DecodedLine): Link | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { prev, seq } = value as { prev?: unknown; seq?: unknown };
  return {
    isCanonical: isCanonical(text, value),
    prev: typeof prev === 'string' ? prev : null,
    seq: typeof seq === 'number' ? seq : null,
  };
}

function isCanonical(text: string, value: unknown): boolean {
  try {
    return canonicalJson(value) === text;
  } catch {
    return false; // a lone surrogate, or deeper than any entry
  }
}
