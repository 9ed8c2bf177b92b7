/**
 * Members that a JSON text names twice in one object, as paths. JSON.parse keeps the last of them, so
 * that a person and the program could read different things.
 * @param text valid JSON.
 */
export function findDuplicateKeys(text: string): string[] {
  const duplicates: string[] = [];
  /** The open objects and arrays; an array has no keys. */
  const open: { keys: Set<string> | null; name: string }[] = [];
  // strings, and the marks that open, close or separate; everything else is of no interest
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\]]/g)) {
    const inside = open.at(-1);
    if (token === '{' || token === '[') {
      open.push({ keys: token === '{' ? new Set() : null, name: '' });
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token.endsWith(':') && inside?.keys) {
      const key = JSON.parse(token.replace(/\s*:$/, '')) as string;
      inside.name = key;
      if (inside.keys.has(key)) {
        duplicates.push(open.flatMap(({ name }) => (name === '' ? [] : [name])).join('.'));
      }
      inside.keys.add(key);
    }
  }
  return duplicates;
}
