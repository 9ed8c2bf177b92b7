import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ledgerEntrySchema } from '../../src/formats/ledger.ts';
import { compileReader } from '../../src/formats/reader.ts';
import { canonicalJson } from '../../src/hash.ts';

const read = compileReader(ledgerEntrySchema);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const ledger = fileURLToPath(new URL('../../results/h200-pilot-v1/ledger.ndjson', import.meta.url));
const entries = readFileSync(ledger, 'utf8').trimEnd().split('\n');
const oneOfEach = [0, 1, 2, 3, entries.length - 1].map((at) => JSON.parse(entries[at]!));

test('every line of real campaigns but the first is read as JSON.parse reads it', () => {
  for (const line of entries.slice(1)) {
    expect(read(bytesOf(line))).toEqual(JSON.parse(line));
  }
});

/** Whether a line is right, by parsing it, checking it and writing it again. */
function isRight(text: string): boolean {
  try {
    const value = JSON.parse(text);
    return ledgerEntrySchema.safeParse(value).success && canonicalJson(value) === text;
  } catch {
    return false;
  }
}

/** Puts a value, or a key, somewhere into an entry. */
function mutate(
  entry: unknown,
  path: readonly number[],
  change: (parent: object) => void,
): unknown {
  const copy = structuredClone(entry);
  let at: unknown = copy;
  for (const step of path) {
    const members = Object.values(at as object).filter(
      (member) => typeof member === 'object' && member,
    );
    if (members.length === 0) break;
    at = members[step % members.length];
  }
  change(at as object);
  return JSON.parse(JSON.stringify(copy)); // what no JSON is, no line can hold
}

const pieces = fc.oneof(
  fc.constantFrom(
    null,
    -1,
    0,
    1.5,
    2 ** 53,
    999_999_999_999_999,
    1e21,
    '',
    'off',
    'observed',
    'a\n"\\b',
    'ü',
    true,
    [],
    {},
    '2026-02-30T00:00:00Z',
  ),
  fc.jsonValue(),
);

test('an entry with another value somewhere is read only when it is right', () => {
  let right = 0;
  let seen = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...oneOfEach),
      fc.array(fc.nat(30), { maxLength: 4 }),
      fc.nat(30),
      fc.constantFrom('set', 'delete', 'add'),
      pieces,
      (entry, path, member, action, value) => {
        const mutated = mutate(entry, path, (parent) => {
          const keys = Object.keys(parent);
          const key = keys.length === 0 ? 'new' : keys[member % keys.length]!;
          if (action === 'delete') delete (parent as Record<string, unknown>)[key];
          else (parent as Record<string, unknown>)[action === 'add' ? 'new' : key] = value;
        });
        const text = canonicalJson(mutated);
        const entryRead = read(bytesOf(text));
        const known = entryRead !== undefined;
        if (isRight(text)) right += 1;
        if (known) seen += 1;
        if (!known) return;
        expect(isRight(text)).toBe(true);
        expect(entryRead).toEqual(JSON.parse(text));
      },
    ),
    { numRuns: 5000 },
  );
  expect(seen).toBeGreaterThan(50); // both answers occur
  expect(seen).toBeGreaterThan(right / 2);
});

test('a line with other bytes somewhere is read only when it is right', () => {
  let seen = 0;
  const bytes = fc.constantFrom(...bytesOf('0123456789-+.eE"{}[],: \\abcnrtufoü_'));
  fc.assert(
    fc.property(
      fc.constantFrom(...oneOfEach.slice(1).map(canonicalJson)),
      fc.nat(),
      fc.nat(3),
      fc.array(bytes, { maxLength: 3 }),
      (line, place, removed, inserted) => {
        const whole = bytesOf(line);
        const at = place % whole.length;
        const changed = Uint8Array.from([
          ...whole.subarray(0, at),
          ...inserted,
          ...whole.subarray(at + removed),
        ]);
        const value = read(changed);
        if (value === undefined) return;
        seen += 1;
        const text = new TextDecoder().decode(changed);
        expect(isRight(text)).toBe(true);
        expect(value).toEqual(JSON.parse(text));
      },
    ),
    { numRuns: 20_000 },
  );
  expect(seen).toBeGreaterThan(500);
});

test('kinds of schema and text that it does not know are not read', () => {
  const schema = z.strictObject({
    even: z.number().refine((value) => value % 2 === 0),
    either: z.union([z.literal('a'), z.array(z.int())]),
    numbers: z.array(z.number()),
    pair: z.tuple([z.int(), z.int()]).optional(),
    readings: z.record(z.string(), z.string()),
  });
  const isKnown = (value: unknown) =>
    compileReader(schema)(bytesOf(canonicalJson(value))) !== undefined;
  const known = { even: 2, either: 'a', numbers: [-1, 0.5, 1e-7, 1e21, 12, 1e15], readings: {} };
  expect(isKnown(known)).toBe(true);
  expect(isKnown({ ...known, either: [1], readings: { a: '\n', 'a ': '\\"', ab: '' } })).toBe(true);
  for (const other of [
    { even: 3 },
    { either: 'b' },
    { either: [1.5] },
    { pair: [1, 2] }, // right, and not known
    { readings: { ü: '' } },
    { readings: { a: '\u0001' } },
    { readings: JSON.parse('{"__proto__":"a"}') },
  ]) {
    expect(isKnown({ ...known, ...other })).toBe(false);
  }
});

test.each([
  '{"a":-0}',
  '{"a":01}',
  '{"a":00}',
  '{"a":1.0}',
  '{"a":1e5}',
  '{"a":1.}',
  '{"a":.5}',
  '{"a":+1}',
  '{"a":-}',
  '{"a":}',
  '{"a":NaN}',
  '{"a":Infinity}',
  '{"a":0x10}',
  '{"a":12345678901234567890}',
  '{"a":1e999}',
  '{"a":1,}',
  '{"a":1}}',
  '{"a":1',
  '{"a":1,"a":1}',
  '{"a":1,"b":2,"ab":3}',
  '{"a":1,"b":2,"b":3}',
  '{ "a":1}',
  '[]',
  '',
])('%s is no canonical JSON of numbers by name', (text) => {
  const schema = z.record(z.string(), z.number());
  expect(compileReader(schema)(bytesOf(text))).toBe(undefined);
});
