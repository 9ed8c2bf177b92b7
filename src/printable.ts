/** Controls, bidirectional overrides, characters of no width, other line ends. */
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Lines that CI services obey: `::set-output …::` after nothing but space on GitHub, `##[…]`,
 * `##vso[…]` and `##teamcity[…]` anywhere. Wrapping may begin a line with any word.
 */
const obeyed = /(?<=^|\s)::(?=[A-Za-z])|##(?=\w*\[)/g;

/**
 * Words of others in one line, without what would move a cursor, turn text around, hide, or be
 * obeyed by a CI service that reads along: U+FFFD stands in its place.
 */
export function toPrintable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(steering, (character) => (character === '\n' || character === '\t' ? ' ' : '\u{fffd}'))
    .replace(obeyed, ([first]) => `\u{fffd}${first}`);
}

/** Lines of our own with words of others in them; the breaks between lines stay. */
export function toPrintableLines(text: string): string {
  return text.split(/\r?\n/).map(toPrintable).join('\n');
}

/** JSON that says the same, with `\u` escapes for all that would steer whoever shows or reads it. */
export function toPrintableJson(json: string): string {
  return json
    .replace(steering, (characters) =>
      characters === '\n' ? characters : characters.replace(/[\s\S]/g, escapeUnit),
    )
    .replace(/##(?=\w*\[)/g, '\\u0023#');
}

/** What a command prints for `--json`. */
export function formatJson(value: unknown): string {
  return `${toPrintableJson(JSON.stringify(value, null, 2))}\n`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
