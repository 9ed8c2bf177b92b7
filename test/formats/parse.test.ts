import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { RooflawError } from '../../src/errors.ts';
import { findDuplicateKeys } from '../../src/formats/duplicate-keys.ts';
import { decodeJson, formatPath, readableMembers } from '../../src/formats/parse.ts';

test('a place is written as a person would', () => {
  expect(formatPath(['conditions', 3, 'sequenceLength'])).toBe('conditions[3].sequenceLength');
  expect(formatPath([])).toBe('(whole file)');
});

test('a member that stands twice is found, with its place', () => {
  expect(findDuplicateKeys('{"a": 1, "b": {"c": 1, "c" : 2}, "a": [{"x": 1}, {"x": 2}]}')).toEqual([
    'b.c',
    'a',
  ]);
  expect(findDuplicateKeys('{"a\\"b": "c\\":", "c": ["a", "a"], "\\u0061": 1, "a": 2}')).toEqual([
    'a',
  ]);
});

test('what JSON.stringify writes has no member twice', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(findDuplicateKeys(JSON.stringify(value))).toEqual([]);
    }),
  );
});

test('text with a member twice is refused, with every place', () => {
  const decode = () => decodeJson('{"a": 1, "a": 2, "b": {"c": 0, "c": 0}}', 'plan p.json');
  expect(decode).toThrow(RooflawError);
  try {
    decode();
  } catch (error) {
    expect((error as RooflawError).faults.map(({ where }) => where)).toEqual(['a', 'b.c']);
  }
});

test('a byte order mark is no fault', () => {
  expect(decodeJson('\ufeff{"a": 1}', 'plan')).toEqual({ a: 1 });
});

test('the readable members of an object are those whose own form is right', () => {
  const schema = z.strictObject({ a: z.int(), b: z.string(), c: z.int() });
  expect(readableMembers(schema, { a: 1, b: 2, extra: 3 })).toEqual({ a: 1 });
  expect(readableMembers(schema, null)).toEqual({});
});
