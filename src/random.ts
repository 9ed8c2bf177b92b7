import { sha256Hex } from './hash.ts';

/** Unbiased integers from a seed; the same sequence on every machine. */
export interface RandomSource {
  /** Uniform 32-bit unsigned integer. */
  nextUint32(): number;
  /** Uniform integer in [0, bound), 1 <= bound <= 2^32. */
  nextBelow(bound: number): number;
}

/**
 * xoshiro128** 1.1 (Blackman & Vigna 2018, doi:10.1145/3460772), its 128-bit state taken from the
 * SHA-256 of the seed's text, so that `rounds/1` and `rounds/2` give unrelated sequences.
 */
export function createRandom(seed: string): RandomSource {
  const digest = sha256Hex(seed);
  const state = Uint32Array.from([0, 8, 16, 24], (at) =>
    Number.parseInt(digest.slice(at, at + 8), 16),
  );
  let [s0, s1, s2, s3] = state as unknown as [number, number, number, number];
  const rotateLeft = (x: number, k: number) => ((x << k) | (x >>> (32 - k))) >>> 0;

  function nextUint32(): number {
    const result = Math.imul(rotateLeft(Math.imul(s1, 5) >>> 0, 7), 9) >>> 0;
    const t = (s1 << 9) >>> 0;
    s2 = (s2 ^ s0) >>> 0;
    s3 = (s3 ^ s1) >>> 0;
    s1 = (s1 ^ s2) >>> 0;
    s0 = (s0 ^ s3) >>> 0;
    s2 = (s2 ^ t) >>> 0;
    s3 = rotateLeft(s3, 11);
    return result;
  }

  function nextBelow(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32) {
      throw new RangeError(`bound must be an integer from 1 to 2^32, not ${bound}`);
    }
    const limit = 2 ** 32 - (2 ** 32 % bound); // rejection: no value is more likely than another
    for (;;) {
      const value = nextUint32();
      if (value < limit) return value % bound;
    }
  }
  return { nextUint32, nextBelow };
}

/** A new array in uniformly random order (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: RandomSource): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = random.nextBelow(last + 1);
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}
