import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../src/hash.ts';
import { decodeLine } from '../../src/ledger/decode-line.ts';
import { type Link, readLink } from '../../src/ledger/link.ts';

const ledger = fileURLToPath(new URL('../../results/h200-pilot-v1/ledger.ndjson', import.meta.url));
const lines = readFileSync(ledger, 'utf8').trimEnd().split('\n');
const bytesOf = (text: string) => new TextEncoder().encode(text);

function linkOf(bytes: Uint8Array): Link | null {
  const line = decodeLine(bytes);
  return line && readLink(line);
}

/** Canonical or not, by parsing and writing again. */
function isCanonical(text: string): boolean {
  try {
    return canonicalJson(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

test('every line of a real ledger is canonical, and its link is right', () => {
  for (const line of lines) {
    const { prev, seq } = JSON.parse(line);
    expect(linkOf(bytesOf(line))).toEqual({ isCanonical: true, prev, seq });
  }
});

test.each([
  ['{"a":1,"b":-12.5,"c":[true,false,null,"x",{}],"prev":"ab","seq":7}', 'ab', 7],
  ['{"prev":null,"seq":"7"}', null, null],
  ['{"a":1e+21,"b":1e-7,"c":0}', null, null],
])('%s is canonical', (text, prev, seq) => {
  expect(linkOf(bytesOf(text))).toEqual({ isCanonical: true, prev, seq });
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
  expect(linkOf(bytesOf(text))?.isCanonical ?? false).toBe(false);
});

test('escapes, umlauts and depth are canonical as they should be written', () => {
  for (const text of ['{"a":"\\n","prev":"x","seq":3}', '{"a":"ü","prev":"x","seq":3}']) {
    expect(linkOf(bytesOf(text))).toEqual({ isCanonical: true, prev: 'x', seq: 3 });
  }
  const deep = `{"a":${'['.repeat(500)}${']'.repeat(500)}}`;
  expect(linkOf(bytesOf(deep))).toEqual({ isCanonical: true, prev: null, seq: null });
});

test('a changed line is canonical exactly when writing it again gives the same', () => {
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
        const link = linkOf(changed);
        if (link === null) return;
        const text = new TextDecoder().decode(changed);
        expect(link.isCanonical).toBe(isCanonical(text));
        if (link.isCanonical) taken += 1;
        const { prev = null, seq = null } = JSON.parse(text);
        expect(link.prev).toBe(typeof prev === 'string' ? prev : null);
        expect(link.seq).toBe(typeof seq === 'number' ? seq : null);
      },
    ),
    { numRuns: 2000 },
  );
  expect(taken).toBeGreaterThan(100);
});
