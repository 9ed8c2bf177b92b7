import { expect, test } from 'vitest';
import { toFloat16Bits } from '../../src/gguf/float16.ts';
import { createRandom } from '../../src/random.ts';
import { buildGgmlOracle } from './ggml-oracle.ts';

test.each([
  [0, 0x0000],
  [-0, 0x8000],
  [1, 0x3c00],
  [-2, 0xc000],
  [65_504, 0x7bff], // the greatest
  [65_519.99, 0x7bff],
  [65_520, 0x7c00], // the first that rounds to infinity
  [Number.POSITIVE_INFINITY, 0x7c00],
  [2 ** -14, 0x0400], // the smallest normal
  [2 ** -14 - 2 ** -24, 0x03ff], // the greatest subnormal
  [2 ** -24, 0x0001], // the smallest
  [2 ** -25, 0x0000], // half of it: to even
  [2 ** -25 + 2 ** -40, 0x0001],
  [1 + 2 ** -11, 0x3c00], // a tie, to even below
  [1 + 3 * 2 ** -11, 0x3c02], // a tie, to even above
  [2 - 2 ** -12, 0x4000], // carries into the exponent
])('%f has binary16 bits %i', (value, bits) => {
  expect(toFloat16Bits(Math.fround(value))).toBe(bits);
});

const built = buildGgmlOracle();
const without = 'missing' in built ? ` (skipped without ${built.missing})` : '';

test.skipIf('missing' in built)(`rounds as ggml does, floats of any exponent${without}`, () => {
  if ('missing' in built) return;
  const random = createRandom('float16');
  const bits = Uint32Array.from({ length: 200_000 }, () => random.nextUint32());
  const floats = new Float32Array(bits.buffer).filter((float) => !Number.isNaN(float));
  // every tie between two neighbours, and the floats beside it
  const ties = Float32Array.from({ length: 3 * 0x7bff }, (_, index) => {
    const tie = (Math.floor(index / 3) + 0x1c000 + 0.5) * 2 ** 13;
    return new Float32Array(Uint32Array.of(tie + (index % 3) - 1).buffer)[0] as number;
  });
  for (const some of [floats, ties]) {
    const expected = built.oracle('f16', some);
    const words = new Uint16Array(new Uint8Array(expected).buffer);
    expect(Uint16Array.from(some, toFloat16Bits)).toEqual(words);
  }
});
