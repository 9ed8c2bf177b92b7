import { toPrintable } from './printable.ts';

/** Begins code, emphasis, a link, an image, a footnote, a heading or a struck word, or ends a cell. */
const marks = /[\\`*_[\]|#~]/g;

/**
 * Words from outside as Markdown that shows them and nothing else: no HTML, no link (not one that
 * GitHub makes of an address either), and nobody is told that he was mentioned.
 */
export function escapeMarkdown(text: string): string {
  return defuse(
    toPrintable(text)
      .replace(marks, (character) => `\\${character}`)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;'),
  );
}

/**
 * The same for a table that programs and people at a terminal read too: `Q4_K_M`, `[b64]` and `>= 1` stay as
 * they are, since a mark inside a word, brackets without an address and a `>` within a line are none.
 * `unescapeCell` reads it back.
 */
export function escapeCell(text: string): string {
  return defuse(
    toPrintable(text)
      .replace(
        /[`*|~<]|\](?=[[(])|^>|\\(?=[!-/:-@[-`{-~])|&(?=[#\w])/g,
        (character) => `\\${character}`,
      )
      .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\_'),
  );
}

/** Addresses without the link, names without the mention. */
function defuse(text: string): string {
  return text
    .replace(/(?<=(?:https?|ftp)):(?=\/\/)|(?<=www)\./gi, (character) => `\\${character}`)
    .replace(/@(?=\w)/g, '@&#8203;');
}

/** What `escapeCell` was given, and a cell of llama-bench, which escapes nothing, as it is. */
export function unescapeCell(cell: string): string {
  return cell.replaceAll('@&#8203;', '@').replace(/\\([`*[\]|~<>\\&_:.])/g, '$1');
}
