import { expect, test } from 'vitest';
import type { PieceRequest } from '../../src/gguf/header-cursor.ts';
import { type HeaderReading, readHeader } from '../../src/gguf/read-header.ts';
import {
  array,
  encodeFile,
  encodeRawHeader,
  length,
  number32,
  string,
  text,
  uint32,
} from './gguf-bytes.ts';

interface Read {
  reading: HeaderReading;
  requests: PieceRequest[];
}

/** @param fileBytes of a file that is longer than what is there of it. */
function read(bytes: Uint8Array, fileBytes = bytes.length): Read {
  const requests: PieceRequest[] = [];
  const steps = readHeader(fileBytes);
  let step = steps.next();
  while (!step.done) {
    const { offset, length } = step.value;
    requests.push(step.value);
    step = steps.next(bytes.subarray(offset, offset + length));
  }
  return { reading: step.value, requests };
}

function readSound(bytes: Uint8Array) {
  const { reading } = read(bytes);
  if (reading.state === 'broken') throw new Error(`${reading.fault.where}: ${reading.fault.what}`);
  return reading.header;
}

/** `where: what` of what stops the reading. */
function faultOf(bytes: Uint8Array, fileBytes?: number): string {
  const { reading } = read(bytes, fileBytes);
  if (reading.state === 'read') throw new Error('the header was read');
  expect(reading.fault.hint).toMatch(/\w{3}/);
  return `${reading.fault.where}: ${reading.fault.what}`;
}

const magic = Buffer.from('GGUF');
const start = (tensors: bigint | number, pairs: bigint | number) =>
  Buffer.concat([magic, number32(3), length(tensors), length(pairs)]);

test('metadata of every type is read', () => {
  const { metadata } = readSound(
    encodeFile({
      pairs: {
        a: { uint8: 250 },
        b: { int8: -3 },
        c: { uint16: 65_000 },
        d: { int16: -300 },
        e: { uint32: 4_000_000_000 },
        f: { int32: -2_000_000_000 },
        g: { float32: 0.5 },
        h: { bool: true },
        i: string('Grüße'),
        j: array('int32', [{ int32: 4 }, { int32: -4 }]),
        k: { uint64: 9_007_199_254_740_991n },
        l: { int64: -5n },
        m: { float64: 1e300 },
        n: { uint64: 18_446_744_073_709_551_615n },
        o: { bool: false },
      },
    }),
  );
  expect(Object.fromEntries(metadata)).toEqual({
    a: { type: 'uint8', value: 250 },
    b: { type: 'int8', value: -3 },
    c: { type: 'uint16', value: 65_000 },
    d: { type: 'int16', value: -300 },
    e: { type: 'uint32', value: 4_000_000_000 },
    f: { type: 'int32', value: -2_000_000_000 },
    g: { type: 'float32', value: 0.5 },
    h: { type: 'bool', value: true },
    i: { type: 'string', byteLength: 7, value: 'Grüße' },
    j: {
      type: 'array',
      elementType: 'int32',
      length: 2,
      values: [
        { type: 'int32', value: 4 },
        { type: 'int32', value: -4 },
      ],
    },
    k: { type: 'uint64', value: 9_007_199_254_740_991 },
    l: { type: 'int64', value: -5 },
    m: { type: 'float64', value: 1e300 },
    n: { type: 'uint64', value: 18_446_744_073_709_551_615n },
    o: { type: 'bool', value: false },
  });
});

test('arrays in arrays are read', () => {
  const inner = (...words: string[]) => array('string', words.map(string));
  const { metadata } = readSound(
    encodeFile({ pairs: { a: array('array', [inner('x', 'y'), inner()]), b: uint32(7) } }),
  );
  const word = (value: string) => ({ type: 'string', byteLength: 1, value });
  expect(metadata.get('a')).toEqual({
    type: 'array',
    elementType: 'array',
    length: 2,
    values: [
      { type: 'array', elementType: 'string', length: 2, values: [word('x'), word('y')] },
      { type: 'array', elementType: 'string', length: 0, values: [] },
    ],
  });
  expect(metadata.get('b')).toEqual({ type: 'uint32', value: 7 });
});

test('tensors are read, of no dimension to four, and of types that are unknown here', () => {
  const { tensors, headerBytes, version } = readSound(
    encodeFile({
      version: 2,
      tensors: [
        { name: 'one', shape: [], type: 0, offset: 0 },
        { name: 'many', shape: [256, 3, 2, 5], type: 12, offset: 32 },
        { name: 'new', shape: [8], type: 999, offset: 64 },
      ],
    }),
  );
  expect(version).toBe(2);
  expect(tensors.map(({ elementCount, offset }) => [elementCount, offset])).toEqual([
    [1, 0],
    [7680, 32],
    [8, 64],
  ]);
  expect(tensors[1]?.type).toEqual({ name: 'Q4_K', blockLength: 256, blockBytes: 144 });
  expect(tensors[2]).toMatchObject({ typeNumber: 999, type: null, shape: [8] });
  // 24, and for each tensor 8 + name + 4 + 8 a dimension + 4 + 8
  expect(headerBytes).toBe(24 + (24 + 3) + (24 + 4 + 32) + (24 + 3 + 8));
});

test('a long list of tokens is passed over, and what follows it is read', () => {
  const tokens = Array.from({ length: 300_000 }, (_, index) => string(`token${index}`));
  const scores = Array.from({ length: 2000 }, () => ({ float32: 0 }));
  const nested = Array.from({ length: 2000 }, () => array('string', [string('a')]));
  const { metadata } = readSound(
    encodeFile({
      pairs: {
        tokens: array('string', tokens),
        scores: array('float32', scores),
        nested: array('array', nested),
        template: string('x'.repeat(300_000)),
        last: uint32(5),
      },
    }),
  );
  const passed = { type: 'array', values: null };
  expect(metadata.get('tokens')).toEqual({ ...passed, elementType: 'string', length: 300_000 });
  expect(metadata.get('scores')).toEqual({ ...passed, elementType: 'float32', length: 2000 });
  expect(metadata.get('nested')).toEqual({ ...passed, elementType: 'array', length: 2000 });
  expect(metadata.get('template')).toEqual({ type: 'string', byteLength: 300_000, value: null });
  expect(metadata.get('last')).toEqual({ type: 'uint32', value: 5 });
});

test('a text longer than any memory is passed over without being read', () => {
  const textBytes = 30 * 2 ** 30;
  const before = Buffer.concat([start(0, 2), text('a'), number32(8), length(textBytes)]);
  const after = Buffer.concat([text('b'), number32(4), number32(6)]);
  const steps = readHeader(before.length + textBytes + after.length);
  expect(steps.next().value).toEqual({ offset: 0, length: 1_048_576 });
  expect(steps.next(before).value).toEqual({
    offset: before.length + textBytes,
    length: after.length,
  });
  const last = steps.next(after);
  expect(last.value).toMatchObject({ state: 'read' });
});

test('a header at the start of a large file takes one piece of 1 MiB', () => {
  const header = encodeRawHeader({ pairs: { a: uint32(1) } });
  const { reading, requests } = read(header, 40e9);
  expect(reading.state).toBe('read');
  expect(requests).toEqual([{ offset: 0, length: 1_048_576 }]);
});

test.each<[string, Uint8Array, string]>([
  ['an old version', Buffer.concat([magic, number32(1), length(0), length(0)]), 'version 1, which'],
  [
    'another byte order',
    Buffer.concat([magic, Buffer.from([0, 0, 0, 3]), length(0), length(0)]),
    'big-endian',
  ],
  [
    'a newer version',
    Buffer.concat([magic, number32(4), length(0), length(0)]),
    'versions 2 and 3',
  ],
  ['version 0', Buffer.concat([magic, number32(0), length(0), length(0)]), 'versions 2 and 3'],
  ['a text', Buffer.from('hello, this is a text'), 'no GGUF: such a file begins with'],
  ['a pointer', Buffer.from('version https://git-lfs.example\noid'), 'pointer of Git LFS'],
  ['a page', Buffer.from('<!DOCTYPE html><html></html>'), 'web page'],
  ['an archive', Buffer.from('PK\x03\x04 and so on and on'), 'ZIP or PyTorch'],
  ['safetensors', Buffer.concat([length(64), Buffer.from('{"a":1}   ')]), 'safetensors'],
  ['an old format', Buffer.from('tjggxxxxxxxxxxxx'), 'older than GGUF'],
  ['two letters', Buffer.from('GG'), 'the file ends within them'],
])('%s is refused in words of its own', (_, bytes, words) => {
  expect(faultOf(bytes)).toContain(words);
});

const pair = (type: number, ...rest: Uint8Array[]) =>
  Buffer.concat([start(0, 1), text('a'), number32(type), ...rest, Buffer.alloc(64)]);
const tensor = (...rest: Uint8Array[]) => Buffer.concat([start(1, 0), ...rest, Buffer.alloc(64)]);
const huge = 2n ** 60n;

test.each<[string, Uint8Array, string]>([
  ['2^60 tensors', start(huge, 0), '1,152,921,504,606,847,000 tensors take more than'],
  ['2^60 pairs', start(0, huge), '1,152,921,504,606,847,000 metadata pairs'],
  ['an array beyond the file', pair(9, number32(4), length(huge)), 'metadata "a": needs'],
  ['an array of 2^60 texts', pair(9, number32(8), length(huge)), 'metadata "a": needs'],
  ['an array of 2^60 arrays', pair(9, number32(9), length(huge)), 'metadata "a": needs'],
  ['a text beyond the file', pair(8, length(1e9)), 'metadata "a": needs 1,000,000,000 bytes'],
  ['a type that is none', pair(13), 'a value of type 13'],
  ['an element type that is none', pair(9, number32(77), length(1)), 'a value of type 77'],
  ['a name of 1 GB', tensor(length(1e9)), 'a name of 1,000,000,000 bytes'],
  ['five dimensions', tensor(text('t'), number32(5)), 'tensor "t": 5 dimensions'],
  [
    'dimensions whose product overflows',
    tensor(text('t'), number32(2), length(2n ** 32n), length(2n ** 32n)),
    'tensor "t": more elements (4294967296 x 4294967296)',
  ],
  [
    'an overflow that a 0 hides',
    tensor(text('t'), number32(2), length(2n ** 60n), length(0)),
    'tensor "t": more elements',
  ],
  [
    'an offset beyond any file',
    tensor(text('t'), number32(0), number32(0), length(huge)),
    'tensor "t": lies beyond any file',
  ],
])('%s is refused', (_, bytes, words) => {
  expect(faultOf(bytes)).toContain(words);
});

test('counts that fit into a huge file, but not into memory, are refused', () => {
  expect(faultOf(start(2 ** 30, 0), 2 ** 45)).toContain('at most 100,000 and 100,000 are read');
});

test('names that would fill the memory are refused', () => {
  // 1025 keys of 65,535 bytes are more than 64 MiB
  const key = (index: number) => text(String(index).padEnd(65_535, 'x'));
  const value = Buffer.concat([number32(0), Buffer.from([1])]);
  const pairs = Array.from({ length: 1025 }, (_, index) => [key(index), value]).flat();
  expect(faultOf(Buffer.concat([start(0, 1025), ...pairs]))).toBe(
    'metadata pair 1025 of 1025: names of more than 67,108,864 bytes in all',
  );
});

test('an array of more texts than can be visited is refused', () => {
  expect(faultOf(pair(9, number32(8), length(2 ** 30)), 2 ** 45)).toBe(
    'metadata "a": arrays of more texts and arrays than can be passed over',
  );
});

test('arrays nested deeper than eight levels are refused, kept or passed over', () => {
  /** Of `count` levels, each with one array in it; the innermost has a byte. */
  const nest = (count: number, outerLength = 1) => {
    const levels = Array.from({ length: count - 1 }, (_, level) =>
      Buffer.concat([number32(9), length(level === 0 ? outerLength : 1)]),
    );
    return Buffer.concat([...levels, number32(0), length(1), Buffer.from([1])]);
  };
  const fault = 'metadata "a": arrays nested more than 8 deep';
  expect(readSound(pair(9, nest(8))).metadata.has('a')).toBe(true);
  expect(faultOf(pair(9, nest(9)))).toBe(fault);
  const long = (count: number) =>
    Buffer.concat([pair(9, nest(count, 2000)), Buffer.alloc(200_000)]);
  expect(readSound(long(8)).metadata.has('a')).toBe(true);
  expect(faultOf(long(9))).toBe(fault);
});

test('a text beyond the file is refused among many that are passed over', () => {
  const texts = [...Array.from({ length: 2000 }, () => text('a')), length(2n ** 32n + 1n)];
  expect(faultOf(pair(9, number32(8), length(2001), ...texts))).toContain(
    'metadata "a": needs 4,294,967,297 bytes',
  );
});

test('what has no name or the name of another is refused', () => {
  expect(faultOf(encodeFile({ pairs: { '': uint32(1) } }))).toBe('metadata "": has no name');
  const pairA = Buffer.concat([text('a'), number32(4), number32(1)]);
  const twice = Buffer.concat([start(0, 2), pairA, pairA]);
  expect(faultOf(twice)).toBe('metadata "a": is there twice');
  const one = { name: 't', shape: [8], type: 0, offset: 0 };
  expect(faultOf(encodeFile({ tensors: [one, one] }))).toBe('tensor "t": is there twice');
});

test('a file that becomes shorter while it is read is no surprise', () => {
  expect(faultOf(start(0, 0).subarray(0, 20), 24)).toContain('became shorter while it was read');
});
