/** So many places are named; whoever has more has made one mistake many times. */
const mostListed = 20;

/** What stands in a JSON text beside its numbers, words and separators. */
type Token = { mark: '{' | '}' | '[' | ']' } | { key: string };

/**
 * Members that a JSON text names twice in one object, as paths, the first twenty. JSON.parse keeps the
 * last of them, so that a person and the program could read different things.
 * @param text valid JSON, no deeper than what `isNestedDeeper` allows: a path is as long as that.
 */
export function findDuplicateKeys(text: string): string[] {
  const duplicates: string[] = [];
  /** The open objects and arrays; an array has no keys. */
  const open: { keys: Set<string> | null; name: string }[] = [];
  for (const token of listTokens(text)) {
    const inside = open.at(-1);
    if ('key' in token) {
      if (!inside?.keys) continue;
      inside.name = token.key;
      if (inside.keys.has(token.key)) {
        duplicates.push(open.flatMap(({ name }) => (name === '' ? [] : [name])).join('.'));
        if (duplicates.length >= mostListed) break;
      }
      inside.keys.add(token.key);
    } else if (token.mark === '{' || token.mark === '[') {
      open.push({ keys: token.mark === '{' ? new Set() : null, name: '' });
    } else open.pop();
  }
  return duplicates;
}

/** Whether objects and arrays lie in one another more than `depth` deep. @param text valid JSON */
export function isNestedDeeper(text: string, depth: number): boolean {
  let level = 0;
  for (const token of listTokens(text)) {
    if (!('mark' in token)) continue;
    level += token.mark === '{' || token.mark === '[' ? 1 : -1;
    if (level > depth) return true;
  }
  return false;
}

/** By hand: a pattern would try again at every space of a long text. */
function* listTokens(text: string): Generator<Token> {
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]!;
    if (mark === '{' || mark === '}' || mark === '[' || mark === ']') yield { mark };
    if (mark !== '"') continue;
    const start = at;
    at = findStringEnd(text, start);
    let next = at + 1;
    while (isSpace(text[next])) next += 1;
    if (text[next] === ':') yield { key: JSON.parse(text.slice(start, at + 1)) as string };
    at = next - 1; // what follows is looked at once
  }
}

/** The place of the quote that ends a string. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

const isSpace = (character: string | undefined) =>
  character === ' ' || character === '\n' || character === '\t' || character === '\r';
