/** `a, b and c`; of more than `most` the first ones and how many more there are. */
export function listWords(words: readonly string[], most = 5): string {
  const shown = words.length > most ? [...words.slice(0, most - 1)] : [...words];
  const hidden = words.length - shown.length;
  if (hidden > 0) shown.push(`${hidden} more`);
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}
