import { mostBytes, repeated } from './mutate.ts';
import { toBytes } from './target.ts';

/** What is worst when it is repeated: it opens, separates, or makes a pattern try again. */
const pieces = [
  ...['[', '{"a":', '{"a":1,"a":1},', '{', '"', '\\', '\n', '\r\n', ' ', '\t', ',', ';', '|', "'"],
  ...[
    '0',
    '0,',
    '0-999999,',
    '/',
    '/a',
    'a/',
    ' /a b',
    '\u0000',
    '\u001b[',
    '-',
    '(',
    '()',
    '=',
    ':',
  ],
  ...['{}', '{},', '[],', 'null,', '"a",', '1:', '.', '@', '\u00e9', '\ufffd', '\n{', '{\n', ' \n'],
];

/**
 * Inputs of 1 MiB: every piece alone, behind a valid input, and in the middle of one. What takes the
 * square of its length shows here.
 */
export function* longInputs(
  valid: readonly Uint8Array[],
  words: readonly string[],
): Generator<Uint8Array> {
  const shortest = valid.toSorted((a, b) => a.length - b.length)[0]!;
  const half = shortest.subarray(0, shortest.length >> 1);
  for (const piece of [...pieces, ...words]) {
    const many = repeated(toBytes(piece), mostBytes);
    yield many;
    yield cut(Buffer.concat([shortest, many]));
    const rest = shortest.subarray(half.length);
    const middle = many.subarray(0, mostBytes - Math.min(shortest.length, mostBytes));
    yield cut(Buffer.concat([half, middle, rest]));
  }
  for (const one of valid) yield repeated(one, Math.ceil(mostBytes / Math.max(one.length, 1)));
  yield* nestedWithDuplicates();
}

const cut = (input: Uint8Array) => input.subarray(0, mostBytes);

/** Deep, and at the bottom one name again and again: each place is as long as the nesting is deep. */
function* nestedWithDuplicates(): Generator<Uint8Array> {
  const depth = mostBytes / 16;
  const bottom = '"b":1,'.repeat(mostBytes / 16);
  yield toBytes(`${'{"a":'.repeat(depth)}{${bottom}"c":1}${'}'.repeat(depth)}`);
  yield toBytes(`{${'"b":1,'.repeat(mostBytes / 6 - 4)}"b":1}`);
}
