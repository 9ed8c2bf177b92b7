import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDecimal } from '../../src/formats/decimal.ts';
import { toNumber } from '../../src/stats/fraction.ts';

test('a decimal is read exactly, with more digits than a double has', () => {
  expect(parseDecimal('1.05')).toEqual({ numerator: 105n, denominator: 100n });
  expect(parseDecimal('14820000')).toEqual({ numerator: 14_820_000n, denominator: 1n });
  expect(parseDecimal('1.00000000000000000001')).toEqual({
    numerator: 100_000_000_000_000_000_001n,
    denominator: 100_000_000_000_000_000_000n,
  });
  expect(parseDecimal('1.5e3')).toEqual({ numerator: 1500n, denominator: 1n });
  expect(parseDecimal('2E-7')).toEqual({ numerator: 2n, denominator: 10_000_000n });
  expect(parseDecimal('-3')).toEqual({ numerator: -3n, denominator: 1n });
});

test.each([
  '',
  ' 1',
  '1 ',
  '+1',
  '.5',
  '5.',
  'NaN',
  'Infinity',
  '0x10',
  '1,000',
  '1_000',
  '1e',
  '--1',
])('%j is no decimal', (text) => {
  expect(parseDecimal(text)).toBeNull();
});

test('a number that would fill the memory is refused', () => {
  expect(parseDecimal('1e41')).toBeNull();
  expect(parseDecimal('1e999999999')).toBeNull();
  expect(parseDecimal('9'.repeat(41))).toBeNull();
});

test('the text of any double reads back as the same double', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: 1e-12, max: 1e20 }), (value) => {
      expect(toNumber(parseDecimal(String(value))!)).toBe(value);
    }),
  );
});
