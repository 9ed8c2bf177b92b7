import { toPrintable } from '../printable.ts';

/** Words of others as text, not as Markdown or HTML. */
export function asText(words: string): string {
  return toPrintable(words).replace(/[\\`*_[\]<>|#]/g, '\\$&');
}
