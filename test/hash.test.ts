import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, identityOf, sha256Hex } from '../src/hash.ts';

test('canonical JSON is what RFC 8785 shows for its sorting and number examples', () => {
  // RFC 8785, section 3.2.3 (property sorting) and 3.2.2 (numbers, strings)
  expect(
    canonicalJson({
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }),
  ).toBe(
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
  expect(
    canonicalJson(JSON.parse('[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]')),
  ).toBe('[333333333.3333333,1e+30,4.5,0.002,1e-27]');
});

test('canonical JSON does not depend on the order of members and survives a round trip', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

test('what JSON cannot hold is refused', () => {
  for (const value of [Number.NaN, Infinity, '\ud800', () => {}, 1n]) {
    expect(() => canonicalJson({ value })).toThrow(TypeError);
  }
});

test('hashes are those that sha256sum gives', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(identityOf({ b: 1, a: [true, null] })).toBe(sha256Hex('{"a":[true,null],"b":1}'));
});
