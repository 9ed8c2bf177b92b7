/** The smallest normal number of IEEE binary16. */
const smallestNormal = 2 ** -14;
/** Steps of 2^-24 divide the subnormal range. */
const subnormalSteps = 2 ** 24;
const infinityBits = 0x7c00;

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/**
 * Bits of the binary16 number nearest to a binary32 one, ties to even, as ggml rounds.
 * @param value not a NaN.
 */
export function toFloat16Bits(value: number): number {
  float[0] = value;
  const word = bits[0] as number;
  const sign = (word >>> 16) & 0x8000;
  const magnitude = Math.abs(value);
  if (magnitude < smallestNormal) return sign | roundHalfToEven(magnitude * subnormalSteps);
  // From exponent bias 127 to 15; then drop 13 bits of the significand, rounding by what is added.
  const rebased = (word & 0x7fffffff) - ((127 - 15) << 23);
  const rounded = (rebased + 0xfff + ((rebased >>> 13) & 1)) >>> 13;
  return sign | Math.min(rounded, infinityBits);
}

function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest === 0.5) return below + (below % 2);
  return rest < 0.5 ? below : below + 1;
}
