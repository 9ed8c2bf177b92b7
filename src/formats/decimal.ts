import type { Fraction } from '../stats/fraction.ts';

/** More digits than any measured time or ratio has; a longer one is a slip or an attack. */
const maxDigits = 40;
const maxExponent = 40;

/**
 * The number that a decimal text says, exactly: `14.82` is 1482/100. The denominator is a power of
 * ten. null for what is no plain decimal (signs other than a leading minus, separators, words) and
 * for more than 40 digits or an exponent beyond 40.
 */
export function parseDecimal(text: string): Fraction | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = match;
  const power = Number(exponent) - decimals.length;
  const tooLong = whole.length + decimals.length > maxDigits;
  if (tooLong || Math.abs(Number(exponent)) > maxExponent) return null;
  const digits = BigInt(`${sign}${whole}${decimals}`);
  return power >= 0
    ? { numerator: digits * 10n ** BigInt(power), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-power) };
}
