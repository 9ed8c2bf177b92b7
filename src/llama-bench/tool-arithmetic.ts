/**
 * How llama-bench computes its deviations (`avg` and `stdev` in llama-bench.cpp, the same since
 * August 2023): sqrt(sum x^2/(n-1) - mean^2 n/(n-1)), in the type of the samples. Following it tells
 * an error of the tool from an edited file.
 */

const modulus = 2n ** 64n;

/**
 * stddev_ns: the formula in unsigned 64-bit integers, whose division drops fractions, the mean's
 * included, and whose sums and products are taken modulo 2^64.
 * @param wraps whether the modulus applies, so that what it changes can be told apart
 * @returns null where the difference is negative without the modulus; 0 for fewer than two samples
 */
export function toolDeviationNs(samplesNs: readonly bigint[], wraps: boolean): bigint | null {
  const n = BigInt(samplesNs.length);
  if (n <= 1n) return 0n;
  const wrap = (value: bigint) => (wraps ? BigInt.asUintN(64, value) : value);
  let sum = 0n;
  let squares = 0n;
  for (const sample of samplesNs) {
    sum = wrap(sum + sample);
    squares = wrap(squares + sample * sample);
  }
  const mean = sum / n;
  const difference = squares / (n - 1n) - wrap(mean * mean * n) / (n - 1n);
  const variance = wraps ? BigInt.asUintN(64, difference) : difference;
  return variance < 0n ? null : BigInt(Math.floor(Math.sqrt(Number(variance))));
}

/**
 * The largest deviation that the modulus alone can make of none: sqrt(2^64 (n-2)/(n-1)) is 3.04e9
 * for n = 3, 3.72e9 for n = 5, and nears 2^32; n = 2 gives none.
 */
export const overflowDeviationNs = {
  least: Math.floor(Math.sqrt(Number(modulus / 2n))),
  greatest: 2 ** 32,
} as const;

/** Each double operation is right to half of this. */
const doubleStep = 2 ** -52;

/**
 * stddev_ts: by how much rounding can change the variance when the formula is computed in doubles:
 * 2 n steps of the sum of squares, over n - 1.
 */
export function toolVarianceError(n: number, mean: number, deviation: number): number {
  const squares = n * (mean * mean + deviation * deviation);
  return (2 * n * doubleStep * squares) / (n - 1);
}
