import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { compileAcceptor } from '../../src/formats/acceptor.ts';
import { ledgerEntrySchema } from '../../src/formats/ledger.ts';

const accepts = compileAcceptor(ledgerEntrySchema);
const ledger = fileURLToPath(new URL('../../results/h200-pilot-v1/ledger.ndjson', import.meta.url));
const entries = readFileSync(ledger, 'utf8').trimEnd().split('\n');
const oneOfEach = [0, 1, 2, 3, entries.length - 1].map((at) => JSON.parse(entries[at]!));

test('every line of a real ledger is taken', () => {
  expect(entries.every((line) => accepts(JSON.parse(line)))).toBe(true);
});

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

test('a changed entry is taken exactly when its schema takes it', () => {
  const values = fc.oneof(
    fc.constantFrom(
      null,
      -1,
      0,
      1.5,
      2 ** 53,
      -0,
      '',
      'off',
      'observed',
      true,
      [],
      {},
      '2026-02-30T00:00:00Z',
    ),
    fc.jsonValue(),
  );
  let taken = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...oneOfEach),
      fc.array(fc.nat(30), { maxLength: 4 }),
      fc.nat(30),
      fc.constantFrom('set', 'delete', 'add'),
      values,
      (entry, path, member, action, value) => {
        const mutated = mutate(entry, path, (parent) => {
          const keys = Object.keys(parent);
          const key = keys.length === 0 ? 'new' : keys[member % keys.length]!;
          if (action === 'delete') delete (parent as Record<string, unknown>)[key];
          else (parent as Record<string, unknown>)[action === 'add' ? 'new' : key] = value;
        });
        const expected = ledgerEntrySchema.safeParse(mutated).success;
        if (expected) taken += 1;
        expect(accepts(mutated)).toBe(expected);
      },
    ),
    { numRuns: 5000 },
  );
  expect(taken).toBeGreaterThan(50); // both answers occur
});

test('kinds of schema that it does not know are left to the schema', () => {
  const schema = z.strictObject({
    even: z.number().refine((value) => value % 2 === 0),
    short: z.array(z.string()).max(2),
    small: z.int().max(3),
    either: z.union([z.literal('a'), z.array(z.int())]),
    pair: z.tuple([z.int(), z.int()]).optional(),
  });
  const isRight = compileAcceptor(schema);
  const right = { even: 2, short: ['a'], small: 3, either: 'a' };
  expect(isRight(right)).toBe(true);
  expect(isRight({ ...right, pair: [1, 2], either: [1] })).toBe(true);
  for (const wrong of [
    { even: 3 },
    { short: ['a', 'b', 'c'] },
    { small: 4 },
    { either: 'b' },
    { pair: [1] },
  ]) {
    expect(isRight({ ...right, ...wrong })).toBe(false);
  }
});

test('an object with a key __proto__ is not taken, although a schema would skip it', () => {
  const schema = z.strictObject({ readings: z.record(z.string(), z.string()) });
  const value = JSON.parse('{"readings":{"__proto__":"a"}}');
  expect(compileAcceptor(schema)(value)).toBe(false);
});
