import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../src/hash.ts';
import { readLink, scanLink } from '../../src/ledger/link.ts';

const ledger = fileURLToPath(new URL('../../results/h200-pilot-v1/ledger.ndjson', import.meta.url));
const lines = readFileSync(ledger, 'utf8').trimEnd().split('\n');
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Canonical or not, by parsing and writing again. */
function isCanonical(text: string): boolean {
  try {
    return canonicalJson(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

test('every line of a real ledger is scanned without doubt, and its link is right', () => {
  for (const line of lines) {
    const { prev, seq } = JSON.parse(line);
    expect(scanLink(bytesOf(line))).toEqual({ isCanonical: true, prev, seq });
  }
});

test.each([
  ['{"a":1,"b":-12.5,"c":[true,false,null,"x",{}],"prev":"ab","seq":7}', 'ab', 7],
  ['{"prev":null,"seq":"7"}', null, null],
  ['{"a":1e+21,"b":1e-7,"c":0}', null, null],
])('%s is canonical', (text, prev, seq) => {
  expect(scanLink(bytesOf(text))).toEqual({ isCanonical: true, prev, seq });
});

test.each([
  '{"b":1,"a":1}',
  '{"a":1,"a":1}',
  '{"ab":1,"a":1}',
  '{"a": 1}',
  '{"a":1}\n',
  '{"a":-0}',
  '{"a":01}',
  '{"a":1.0}',
  '{"a":1e5}',
  '{"a":1.}',
  '{"a":.5}',
  '{"a":+1}',
  '{"a":-}',
  '{"a":12345678901234567890}',
  '{"a":1e999}',
  '{"a":[1,]}',
  '{"a":1,}',
  '{"a"}',
  '{"a":tru}',
  '{"a":"\\u0041"}',
  '{"a":"\\/"}',
  '[{"a":1}',
  '{"a":{}',
  '{"a":"x}',
  '',
])('%s is not taken for canonical', (text) => {
  expect(scanLink(bytesOf(text))).toBeNull();
  expect(readLink(bytesOf(text))?.isCanonical ?? false).toBe(false);
});

test('what a scan doubts is parsed: escapes, umlauts, depth', () => {
  for (const text of ['{"a":"\\n","prev":"x","seq":3}', '{"a":"ü","prev":"x","seq":3}']) {
    expect(scanLink(bytesOf(text))).toBeNull();
    expect(readLink(bytesOf(text))).toEqual({ isCanonical: true, prev: 'x', seq: 3 });
  }
  const deep = `{"a":${'['.repeat(500)}${']'.repeat(500)}}`;
  expect(readLink(bytesOf(deep))).toEqual({ isCanonical: true, prev: null, seq: null });
});

test('a scan never takes a changed line for canonical that is not, nor another link', () => {
  let taken = 0;
  const bytes = fc.constantFrom(...bytesOf('0123456789-+.eE"{}[],: \\abcnrtuftüx'));
  fc.assert(
    fc.property(
      fc.constantFrom(...lines.slice(0, 6).map((line) => line.slice(0, 3000))),
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
        const link = scanLink(changed);
        if (link === null) return;
        taken += 1;
        const text = new TextDecoder().decode(changed);
        expect(isCanonical(text)).toBe(true);
        const { prev = null, seq = null } = JSON.parse(text);
        expect(link.prev).toBe(typeof prev === 'string' ? prev : null);
        expect(link.seq).toBe(typeof seq === 'number' ? seq : null);
      },
    ),
    { numRuns: 20_000 },
  );
  expect(taken).toBeGreaterThan(500);
});

test('a scan takes every canonical object of plain ASCII and safe integers', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-zA-Z0-9 ]*$/), fc.jsonValue({ maxDepth: 4 })),
      (value) => {
        const text = canonicalJson(JSON.parse(JSON.stringify(value)));
        const hasDoubt = /[^\x20-\x7e]|\\/.test(text) || /\d{16}/.test(text);
        if (!hasDoubt) expect(scanLink(bytesOf(text))?.isCanonical).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});
