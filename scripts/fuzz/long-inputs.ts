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
 * square of its length shows here. Each is made when it is its turn.
 */
export function listLongInputs(
  valid: readonly Uint8Array[],
  words: readonly string[],
): (() => Uint8Array)[] {
  const shortest = valid.toSorted((a, b) => a.length - b.length)[0]!;
  const half = shortest.subarray(0, shortest.length >> 1);
  const rest = shortest.subarray(half.length);
  const ofPieces = [...pieces, ...words].flatMap((piece) => {
    const many = () => repeated(toBytes(piece), mostBytes);
    const middle = () => many().subarray(0, mostBytes - Math.min(shortest.length, mostBytes));
    return [
      many,
      () => cut(Buffer.concat([shortest, many()])),
      () => cut(Buffer.concat([half, middle(), rest])),
    ];
  });
  const ofValid = valid.map(
    (one) => () => repeated(one, Math.ceil(mostBytes / Math.max(one.length, 1))),
  );
  return [...ofPieces, ...ofValid, nestedWithDuplicates, manyDuplicates];
}

const cut = (input: Uint8Array) => input.subarray(0, mostBytes);

/** Deep, and at the bottom one name again and again: each place is as long as the nesting is deep. */
function nestedWithDuplicates(): Uint8Array {
  const depth = mostBytes / 16;
  const bottom = '"b":1,'.repeat(mostBytes / 16);
  return toBytes(`${'{"a":'.repeat(depth)}{${bottom}"c":1}${'}'.repeat(depth)}`);
}

const manyDuplicates = () => toBytes(`{${'"b":1,'.repeat(mostBytes / 6 - 4)}"b":1}`);
