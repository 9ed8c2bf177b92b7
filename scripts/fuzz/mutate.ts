import type { RandomSource } from '../../src/random.ts';
import { oddWords } from './odd-words.ts';
import { toBytes } from './target.ts';

/** What mutations draw from. */
export interface MutationSource {
  random: RandomSource;
  /** Valid inputs and what was found since; not empty. */
  pool: readonly Uint8Array[];
  words: readonly Uint8Array[];
}

type Mutation = (input: Uint8Array, source: MutationSource) => Uint8Array;

const pick = <Value>(list: readonly Value[], random: RandomSource) =>
  list[random.nextBelow(list.length)]!;

/** Near the start half of the time: headers stand there. */
function choosePlace(length: number, random: RandomSource): number {
  if (length === 0) return 0;
  const bound = random.nextBelow(2) === 0 ? Math.min(length, 512) : length;
  return random.nextBelow(bound);
}

const insert = (input: Uint8Array, at: number, piece: Uint8Array, removed = 0) =>
  Buffer.concat([input.subarray(0, at), piece, input.subarray(at + removed)]);

const flipBits: Mutation = (input, { random }) => {
  const changed = Uint8Array.from(input);
  for (let count = 1 + random.nextBelow(8); count > 0 && changed.length > 0; count--) {
    changed[choosePlace(changed.length, random)]! ^= 1 << random.nextBelow(8);
  }
  return changed;
};

const setBytes: Mutation = (input, { random }) => {
  const changed = Uint8Array.from(input);
  const at = choosePlace(changed.length, random);
  const value = pick([0, 0xff, 0x7f, 0x80, 1], random);
  changed.fill(value, at, at + (1 << random.nextBelow(5)));
  return changed;
};

const remove: Mutation = (input, { random }) =>
  insert(input, choosePlace(input.length, random), new Uint8Array(), 1 + random.nextBelow(64));

const truncate: Mutation = (input, { random }) =>
  input.subarray(0, random.nextBelow(input.length + 1));

const addWord: Mutation = (input, { random, words }) => {
  const removed = random.nextBelow(2) === 0 ? 0 : random.nextBelow(16);
  return insert(input, choosePlace(input.length, random), pick(words, random), removed);
};

const splice: Mutation = (input, { random, pool }) => {
  const other = pick(pool, random);
  const [end, start] = [random.nextBelow(input.length + 1), random.nextBelow(other.length + 1)];
  return Buffer.concat([input.subarray(0, end), other.subarray(start)]);
};

const repeat: Mutation = (input, { random }) => {
  const at = choosePlace(input.length, random);
  const piece = input.subarray(at, at + 1 + random.nextBelow(64));
  return insert(input, at, repeated(piece, 1 << random.nextBelow(12)));
};

/** A number of the text becomes another one. */
const changeNumber: Mutation = (input, { random }) => {
  const text = Buffer.from(input).toString('latin1');
  const found = [...text.slice(0, 65_536).matchAll(/\d+/g)];
  if (found.length === 0) return input;
  const { 0: digits, index } = pick(found, random);
  const odd = pick(oddWords.slice(), random);
  return insert(input, index, toBytes(odd), digits.length);
};

const nest: Mutation = (input, { random }) => {
  const [open, close] = pick(
    [
      ['[', ']'],
      ['{"a":', '}'],
      ['(', ')'],
      ['"', '"'],
    ] as const,
    random,
  );
  const depth = 1 << random.nextBelow(14);
  const at = choosePlace(input.length, random);
  const nested = toBytes(
    open.repeat(depth) + (random.nextBelow(2) === 0 ? close.repeat(depth) : ''),
  );
  return insert(input, at, nested);
};

/** 64-bit and 32-bit lengths of binary formats. */
const setLength: Mutation = (input, { random }) => {
  const bytes = Buffer.from(input);
  if (bytes.length < 8) return bytes;
  const at = Math.min(choosePlace(bytes.length, random), bytes.length - 8);
  const value = pick(
    [0n, 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n],
    random,
  );
  if (random.nextBelow(2) === 0) bytes.writeBigUInt64LE(value, at);
  else bytes.writeUInt32LE(Number(value & 0xffff_ffffn), at);
  return bytes;
};

const mutations: readonly Mutation[] = [
  ...[flipBits, setBytes, remove, truncate, addWord, splice],
  ...[repeat, changeNumber, nest, setLength],
];

/** Bytes; whatever is longer is cut. */
export const mostBytes = 2 ** 20;

export function repeated(piece: Uint8Array, count: number): Uint8Array {
  return Buffer.alloc(Math.min(piece.length * count, mostBytes), piece);
}

/** One to five changes of an input of the pool. */
export function mutate(source: MutationSource): Uint8Array {
  let input = pick(source.pool, source.random);
  for (let count = 1 + source.random.nextBelow(5); count > 0; count--) {
    input = pick(mutations, source.random)(input, source);
  }
  return input.subarray(0, mostBytes);
}
