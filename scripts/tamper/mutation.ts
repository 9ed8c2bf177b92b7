import type { RandomSource as Random } from '../../src/random.ts';

/** A ledger's bytes with one thing done to them. */
export interface Mutation {
  kind: string;
  /** What exactly, so that a failure can be repeated by hand. */
  what: string;
  /** Made whenever they are asked for: of a large ledger's changes only a sample is. */
  readonly bytes: Buffer;
}

export const createMutation = (kind: string, what: string, make: () => Buffer): Mutation => ({
  kind,
  what,
  get bytes() {
    return make();
  },
});

const newline = 0x0a;
const zero = 0x30;

/** Where each line begins, and at the end the size of the file, which ends with a newline. */
function findStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}

/** Every line removed, repeated, swapped with the next and moved to the end. */
export function* moveLines(original: Buffer): Generator<Mutation> {
  const starts = findStarts(original);
  const count = starts.length - 1;
  const line = (index: number) => original.subarray(starts[index], starts[index + 1]);
  const before = (index: number) => original.subarray(0, starts[index]);
  const after = (index: number) => original.subarray(starts[index + 1]);
  for (let index = 0; index < count; index++) {
    const here = line(index);
    const join = (kind: string, parts: readonly Buffer[]) =>
      createMutation(kind, `line ${index + 1}`, () => Buffer.concat(parts));
    yield join('line removed', [before(index), after(index)]);
    yield join('line repeated', [before(index), here, here, after(index)]);
    if (index === count - 1) continue; // the last has no next, and is at the end
    yield join('line swapped with the next', [
      before(index),
      line(index + 1),
      here,
      after(index + 1),
    ]);
    yield join('line moved to the end', [before(index), after(index), here]);
  }
}

/** The file cut after each line, and once inside each. */
export function* cut(original: Buffer, random: Random): Generator<Mutation> {
  const starts = findStarts(original);
  for (let index = 0; index + 1 < starts.length; index++) {
    const start = starts[index]!;
    const inside = start + 1 + random.nextBelow(starts[index + 1]! - start - 1);
    for (const [kind, size] of [
      ['cut between lines', start],
      ['cut inside a line', inside],
    ] as const) {
      yield createMutation(kind, `${size} bytes left`, () => original.subarray(0, size));
    }
  }
}

/** In every line its first, its last and its newline, and more of its bytes, changed to any other. */
export function* changeBytes(
  original: Buffer,
  bytesPerLine: number,
  random: Random,
): Generator<Mutation> {
  const starts = findStarts(original);
  for (let index = 0; index + 1 < starts.length; index++) {
    const start = starts[index]!;
    const size = starts[index + 1]! - start;
    const places = new Set([0, size - 2, size - 1]);
    while (places.size < Math.min(bytesPerLine, size)) places.add(random.nextBelow(size));
    for (const place of places) {
      yield changeByte(original, start + place, 1 + random.nextBelow(255), 'byte changed');
    }
  }
}

/**
 * In every line one digit changed to another: the form stays sound, so that only what ties the lines
 * together can tell.
 */
export function* changeDigits(original: Buffer, random: Random): Generator<Mutation> {
  const starts = findStarts(original);
  const isDigit = (at: number) => original[at]! >= zero && original[at]! < zero + 10;
  for (let index = 0; index + 1 < starts.length; index++) {
    const [start, end] = [starts[index]!, starts[index + 1]!];
    const digits = Array.from({ length: end - start }, (_, place) => start + place).filter(isDigit);
    const at = digits[random.nextBelow(digits.length)]!;
    const other = (original[at]! - zero + 1 + random.nextBelow(9)) % 10;
    yield changeByte(original, at, (zero + other - original[at]! + 256) % 256, 'digit changed');
  }
}

/** Bytes from anywhere, each changed to all 255 others. */
export function* changeToAll(
  original: Buffer,
  places: number,
  random: Random,
): Generator<Mutation> {
  for (let count = 0; count < places; count++) {
    const at = random.nextBelow(original.length);
    for (let step = 1; step < 256; step++) {
      yield changeByte(original, at, step, 'byte changed to all 255 others');
    }
  }
}

function changeByte(original: Buffer, at: number, step: number, kind: string): Mutation {
  const value = (original[at]! + step) % 256;
  return createMutation(kind, `byte ${at} from ${original[at]} to ${value}`, () => {
    const bytes = Buffer.from(original);
    bytes[at] = value;
    return bytes;
  });
}

const inserted: readonly (readonly [string, Buffer])[] = [
  ['NUL inserted', Buffer.from([0])],
  ['byte order mark inserted', Buffer.from([0xef, 0xbb, 0xbf])],
  ['space inserted', Buffer.from(' ')],
];

/** In every line a byte inserted and one deleted, CR before LF, a blank line before it, and so on. */
export function* insertAndDelete(original: Buffer, random: Random): Generator<Mutation> {
  const starts = findStarts(original);
  for (let index = 0; index + 1 < starts.length; index++) {
    const start = starts[index]!;
    const end = starts[index + 1]! - 1; // of the newline
    const place = () => start + random.nextBelow(end - start);
    const insert = (kind: string, at: number, what: Buffer) =>
      createMutation(kind, `${what.toString('hex')} at byte ${at}`, () =>
        Buffer.concat([original.subarray(0, at), what, original.subarray(at)]),
      );
    yield insert('byte inserted', place(), Buffer.from([random.nextBelow(256)]));
    for (const [kind, what] of inserted) yield insert(kind, place(), what);
    yield insert('byte order mark before a line', start, inserted[1]![1]);
    yield insert('CR before LF', end, Buffer.from('\r'));
    yield insert('blank line', start, Buffer.from('\n'));
    const gone = place();
    yield createMutation('byte deleted', `byte ${gone}`, () =>
      Buffer.concat([original.subarray(0, gone), original.subarray(gone + 1)]),
    );
  }
}
