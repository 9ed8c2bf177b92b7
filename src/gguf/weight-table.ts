import type { Quantization } from '../formats/architecture.ts';
import { toFloat16Bits } from './float16.ts';

/** The weight of each of the 65,536 values of a random 16-bit number, in a matrix of one fan-in. */
export type WeightTable = Float32Array | Uint16Array;

/**
 * Weights are quantile x sd, each step rounded to a float, with sd = 1/sqrt(fan-in) so that a matrix
 * keeps the variance of what it multiplies.
 * @returns floats, or in F16 the bits of the nearest binary16 numbers.
 */
export function computeWeightTable(
  quantiles: Float32Array,
  fanIn: number,
  quantization: Quantization,
): WeightTable {
  const deviation = Math.fround(1 / Math.sqrt(fanIn));
  const weights = quantiles.map((quantile) => Math.fround(quantile * deviation));
  return quantization === 'F16' ? Uint16Array.from(weights, toFloat16Bits) : weights;
}
