import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareFractions,
  formatFraction,
  fractionOfDecimal,
  toNumber,
} from '../../src/stats/fraction.ts';

test('a decimal is taken as it is written', () => {
  expect(fractionOfDecimal(0.05)).toEqual({ numerator: 5n, denominator: 100n });
  expect(fractionOfDecimal(1.05)).toEqual({ numerator: 105n, denominator: 100n });
  expect(fractionOfDecimal(-2.5)).toEqual({ numerator: -25n, denominator: 10n });
  expect(fractionOfDecimal(1e-7)).toEqual({ numerator: 1n, denominator: 10_000_000n });
  expect(fractionOfDecimal(1.5e21)).toEqual({
    numerator: 1_500_000_000_000_000_000_000n,
    denominator: 1n,
  });
  expect(() => fractionOfDecimal(Number.NaN)).toThrow(RangeError);
  expect(() => fractionOfDecimal(Number.POSITIVE_INFINITY)).toThrow(RangeError);
});

test('1.05 - 1.00 is 0.05 exactly, which floating point denies', () => {
  const difference = { numerator: 105n - 100n, denominator: 100n };
  expect(compareFractions(difference, fractionOfDecimal(0.05))).toBe(0);
  expect(1.05 - 1 > 0.05).toBe(true);
});

test('every finite double returns from its decimal unchanged', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e200, max: 1e200 }),
      (value) => {
        fc.pre(value === 0 || Math.abs(value) > 1e-200);
        expect(toNumber(fractionOfDecimal(value))).toBe(value === 0 ? 0 : value);
      },
    ),
  );
});

test('a quotient of safe integers is rounded as the processor rounds it', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 1 }), (numerator, denominator) => {
      const exact = { numerator: BigInt(numerator), denominator: BigInt(denominator) };
      expect(toNumber(exact)).toBe(numerator / denominator);
    }),
  );
});

test('a fraction just above a tie rounds up, a tie rounds to even', () => {
  const tie = 2n ** 53n + 1n;
  expect(toNumber({ numerator: tie, denominator: 1n })).toBe(9007199254740992);
  expect(toNumber({ numerator: tie * 10n ** 30n + 1n, denominator: 10n ** 30n })).toBe(
    9007199254740994,
  );
});

test('fractions are written in lowest terms', () => {
  expect(formatFraction({ numerator: 1002n, denominator: 1024n })).toBe('501/512');
  expect(formatFraction({ numerator: -4n, denominator: 8n })).toBe('-1/2');
});
