/** What the functions of src/gguf/kernels.wat have to do: their specification, plain and slow. */
import { toFloat16Bits } from '../../src/gguf/float16.ts';

/** xoshiro128++ 1.0 (Blackman & Vigna 2018, doi:10.1145/3460772); advances the four words. */
function nextUint32(words: Uint32Array): number {
  const [s0, s1, s2, s3] = words as unknown as [number, number, number, number];
  const rotateLeft = (x: number, k: number) => (x << k) | (x >>> (32 - k));
  const result = (rotateLeft((s0 + s3) | 0, 7) + s0) >>> 0;
  const third = s2 ^ s0;
  const fourth = s3 ^ s1;
  words[0] = s0 ^ fourth;
  words[1] = s1 ^ third;
  words[2] = third ^ (s1 << 9);
  words[3] = rotateLeft(fourth, 11);
  return result;
}

/**
 * Random 16-bit numbers of four interleaved generators: each gives 32 bits in turn, the low half first.
 * @param seed 64 bytes: little-endian words, word w of generator g at 16 w + 4 g.
 * @param count a multiple of 8.
 */
export function drawUint16s(seed: Uint8Array, count: number): Uint16Array {
  const view = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
  const generators = [0, 1, 2, 3].map((generator) =>
    Uint32Array.from([0, 1, 2, 3], (word) => view.getUint32(16 * word + 4 * generator, true)),
  );
  const drawn = new Uint16Array(count);
  for (let index = 0; index < count; index += 2) {
    const bits = nextUint32(generators[(index / 2) % 4] as Uint32Array);
    drawn[index] = bits & 0xffff;
    drawn[index + 1] = bits >>> 16;
  }
  return drawn;
}

const blockLength = 32;

/** Blocks of a binary16 scale and 32 signed bytes; x = scale * byte. */
export function quantizeQ8_0(floats: Float32Array): Uint8Array {
  return quantizeBlocks(floats, 2 + 32, (block, bytes) => {
    const scale = Math.fround(Math.max(...block.map(Math.abs)) / 127);
    block.forEach((float, index) => {
      bytes.setInt8(2 + index, roundHalfAway(scaleInverse(float, scale)));
    });
    return scale;
  });
}

/** Blocks of a binary16 scale and 32 half bytes; x = scale * (half byte - 8). */
export function quantizeQ4_0(floats: Float32Array): Uint8Array {
  return quantizeBlocks(floats, 2 + 16, (block, bytes) => {
    const extreme = block.reduce(
      (found, float) => (Math.abs(float) > Math.abs(found) ? float : found),
      0,
    );
    const scale = Math.fround(extreme / -8);
    const level = (index: number) =>
      Math.min(15, Math.trunc(Math.fround(scaleInverse(block[index] as number, scale) + 8.5)));
    for (let index = 0; index < 16; index++) {
      bytes.setUint8(2 + index, level(index) | (level(16 + index) << 4));
    }
    return scale;
  });
}

/** Every step is rounded to a float, as in C. */
function scaleInverse(float: number, scale: number): number {
  const inverse = scale === 0 ? 0 : Math.fround(1 / scale);
  return Math.fround(float * inverse);
}

function roundHalfAway(value: number): number {
  return Math.sign(value) * Math.floor(Math.abs(value) + 0.5);
}

function quantizeBlocks(
  floats: Float32Array,
  blockBytes: number,
  encode: (block: number[], bytes: DataView) => number,
): Uint8Array {
  const blockCount = floats.length / blockLength;
  const result = new Uint8Array(blockCount * blockBytes);
  for (let index = 0; index < blockCount; index++) {
    const block = [...floats.subarray(index * blockLength, (index + 1) * blockLength)];
    const bytes = new DataView(result.buffer, index * blockBytes, blockBytes);
    bytes.setUint16(0, toFloat16Bits(encode(block, bytes)), true);
  }
  return result;
}
