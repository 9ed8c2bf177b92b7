import fc from 'fast-check';
import { canonicalJson, type Json, sha256Hex } from '../../src/hash.ts';
import { inherited, oddWords } from './odd-words.ts';
import { type InputKind, toBytes, toText } from './target.ts';

const oddNumbers = [0, -1, 0.5, 1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53)];

/** JSON text of a value that does not belong where it is put. */
const oddJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('null', 'true', '{}', '[]', '1e400', '-0', '[[[[[[]]]]]]'),
  fc.constantFrom(...oddNumbers).map(String),
  fc.constantFrom(...oddWords).map((word) => JSON.stringify(word)),
  fc.constantFrom(...inherited).map((key) => `{${JSON.stringify(key)}:{"polluted":true}}`),
  fc.nat(2000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.json(),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
);

type Path = (string | number)[];

/** Places of every value inside, the whole among them; enough of them of a large one. */
function listPaths(value: unknown, path: Path = [], found: Path[] = []): Path[] {
  if (found.length > 5000) return found;
  found.push(path);
  if (Array.isArray(value)) {
    for (const [index, item] of value.slice(0, 20).entries())
      listPaths(item, [...path, index], found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) listPaths(item, [...path, key], found);
  }
  return found;
}

const marker = '\u0001here\u0001';

/** The text of a value in which other text stands at one place, beside it or instead of it. */
function replaceAt(valid: unknown, path: Path, json: string, newKey: string | null): string {
  const copy = structuredClone(valid);
  let holder: unknown = { whole: copy };
  const steps: Path = ['whole', ...path];
  const top = holder as { whole: unknown };
  for (const step of steps.slice(0, -1)) holder = (holder as Record<string, unknown>)[step];
  const last = steps.at(-1)!;
  const target = (holder as Record<string, unknown>)[last];
  if (newKey !== null && typeof target === 'object' && target !== null && !Array.isArray(target)) {
    (target as Record<string, unknown>)[marker] = 0;
    const text = JSON.stringify(top.whole);
    return text.replace(`${JSON.stringify(marker)}:0`, () => `${JSON.stringify(newKey)}:${json}`);
  }
  (holder as Record<string, unknown>)[last] = marker;
  return JSON.stringify(top.whole).replace(JSON.stringify(marker), () => json);
}

/** A valid JSON value with one place changed, or with a member more. */
function oneFieldOdd(valid: unknown): fc.Arbitrary<string> {
  const paths = listPaths(valid);
  const key = fc.option(fc.constantFrom(...inherited, ...oddWords), { freq: 3 });
  return fc
    .tuple(fc.constantFrom(...paths), oddJson, key)
    .map(([path, json, newKey]) => replaceAt(valid, path, json, newKey));
}

/** Ties a line to the one before it, so that what it says is looked at, not only that it was changed. */
function tie(line: string, prev: string): string {
  try {
    const entry = JSON.parse(line) as Record<string, Json>;
    if (typeof entry === 'object' && entry !== null && 'prev' in entry) {
      return canonicalJson({ ...entry, prev });
    }
  } catch {} // it is left as it is
  return line;
}

/** Only the lines from the changed one on have to be tied anew. */
function chainAnew(lines: readonly string[], from: number): string {
  const tied = lines.slice(0, from);
  let prev = from === 0 ? '0'.repeat(64) : sha256Hex(lines[from - 1]!);
  for (const line of lines.slice(from)) {
    tied.push(tie(line, prev));
    prev = sha256Hex(tied.at(-1)!);
  }
  return `${tied.join('\n')}\n`;
}

function oneLineOdd(text: string): fc.Arbitrary<string> {
  const lines = text.split('\n').filter((line) => line !== '');
  const odd = lines.map((line) => oneFieldOdd(JSON.parse(line)));
  return fc
    .nat(lines.length - 1)
    .chain((at) => fc.tuple(fc.constant(at), odd[at]!, fc.boolean()))
    .map(([at, line, isTied]) => {
      const changed = lines.with(at, line);
      return isTied ? chainAnew(changed, at) : `${changed.join('\n')}\n`;
    });
}

/** A text with one word or number changed; what separates them stays. */
function oneWordOdd(text: string): fc.Arbitrary<string> {
  const pieces = text.split(/([\s,:/"]+)/);
  const odd = fc.oneof(
    fc.constantFrom(...oddWords),
    fc.constantFrom(...oddNumbers).map(String),
    fc.string({ unit: 'binary' }),
  );
  return fc
    .tuple(fc.nat((pieces.length - 1) >> 1), odd)
    .map(([place, word]) => pieces.with(2 * place, word).join(''));
}

/** A table with one cell changed. */
function oneCellOdd(text: string): fc.Arbitrary<string> {
  const rows = text.split('\n').slice(0, 200);
  const word = fc.oneof(fc.constantFrom(...oddWords), fc.string({ unit: 'binary' }));
  return fc.tuple(fc.nat(rows.length - 1), fc.nat(40), word).map(([row, place, odd]) => {
    const cells = rows[row]!.split(',');
    return `${rows.with(row, cells.with(place % cells.length, odd).join(',')).join('\n')}\n`;
  });
}

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Valid inputs with one thing odd in them, and anything at all. */
export function structuredInputs(
  kind: InputKind,
  corpus: readonly Uint8Array[],
): fc.Arbitrary<Uint8Array> {
  const texts = corpus.map(toText);
  const odd: fc.Arbitrary<string>[] = texts.flatMap((text) => {
    if (kind === 'ndjson') return [oneLineOdd(text)];
    if (kind === 'csv') return [oneCellOdd(text)];
    if (kind === 'fields') return [oneWordOdd(text)];
    return kind === 'json' && isJson(text) ? [oneFieldOdd(JSON.parse(text))] : [];
  });
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 4096 }),
    fc.string({ unit: 'binary', maxLength: 2000 }).map(toBytes),
    fc.json().map(toBytes),
  );
  if (odd.length === 0) return anything;
  return fc.oneof(
    { arbitrary: fc.oneof(...odd).map(toBytes), weight: 5 },
    { arbitrary: anything, weight: 1 },
  );
}
