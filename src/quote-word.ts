import { toPrintable } from './printable.ts';

/**
 * A word as a POSIX shell takes it: in single quotes unless it needs none; bytes that must not reach
 * a terminal as octal numbers in `$'…'`, which POSIX has since 2024 and bash, zsh and ksh had before.
 */
export function quoteWord(word: string): string {
  if (toPrintable(word) !== word) return `$'${escapeBytes(word)}'`;
  // zsh expands a word that begins with `=`; `::` at the beginning is obeyed by GitHub
  if (/^[\w./+-][\w./=:+-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function escapeBytes(word: string): string {
  return [...Buffer.from(word)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w./=+ -]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
    })
    .join('');
}
