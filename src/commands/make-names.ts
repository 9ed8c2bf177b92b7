/** What a name of the formats may hold: 64 letters, digits, ".", "_" or "-", a letter or digit first. */
const longest = 64;

/** Turns words into names of the formats, all different, in their order. */
export function makeNames(words: readonly string[]): string[] {
  const taken = new Set<string>();
  return words.map((word) => {
    const plain = word
      .replace(/=/g, '')
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, longest);
    const base = plain === '' ? 'unnamed' : plain;
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : `-${number}`;
      const name = `${base.slice(0, longest - suffix.length)}${suffix}`;
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
  });
}
