/** A word as a POSIX shell takes it: in single quotes unless it needs none. */
export function quoteWord(word: string): string {
  return /^[\w./=:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
