/** An exact quotient of integers; the denominator is positive. Not necessarily in lowest terms. */
export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/**
 * The decimal that a number is written as: 0.05 is 5/100 here, not the binary value nearest to it.
 * @throws RangeError for NaN and infinities
 */
export function fractionOfDecimal(value: number): Fraction {
  const match = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (match === null) throw new RangeError(`${value} is not a decimal number`);
  const [, whole = '', decimals = '', exponent = '0'] = match;
  const power = Number(exponent) - decimals.length;
  const digits = BigInt(whole + decimals);
  return power >= 0
    ? { numerator: digits * 10n ** BigInt(power), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-power) };
}

/** Negative, zero or positive as a is less than, equal to or greater than b. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Significant bits to carry: two more than a double's 53, so that rounding happens once. */
const carriedBits = 55;

/** The double nearest to an exact fraction (ties to even); magnitudes from 2^-1000 to 2^1000. */
export function toNumber({ numerator, denominator }: Fraction): number {
  if (numerator < 0n) return -toNumber({ numerator: -numerator, denominator });
  if (numerator === 0n) return 0;
  const shift = carriedBits + bitLength(denominator) - bitLength(numerator);
  const scaled = shift > 0 ? numerator << BigInt(shift) : numerator;
  const divisor = shift < 0 ? denominator << BigInt(-shift) : denominator;
  const sticky = scaled % divisor === 0n ? 0n : 1n;
  return Number((scaled / divisor) | sticky) * 2 ** -shift;
}

/** `a/b` in lowest terms. */
export function formatFraction({ numerator, denominator }: Fraction): string {
  const divisor = isPowerOfTwo(denominator)
    ? greatestPowerOfTwo(numerator, denominator)
    : greatestCommonDivisor(numerator < 0n ? -numerator : numerator, denominator);
  return `${numerator / divisor}/${denominator / divisor}`;
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}

function isPowerOfTwo(value: bigint): boolean {
  return (value & (value - 1n)) === 0n;
}

/** What both can be divided by; coverages have thousands of digits, which takes Euclid long. */
function greatestPowerOfTwo(numerator: bigint, denominator: bigint): bigint {
  const lowestBit = numerator & -numerator; // 0n for 0n
  return lowestBit === 0n || lowestBit > denominator ? denominator : lowestBit;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
