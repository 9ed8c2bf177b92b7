import { toNumber } from './fraction.ts';

export interface SignTest {
  /** Pairs that differ. */
  n: number;
  positive: number;
  negative: number;
  /** Dropped. */
  zeros: number;
  /** Two-sided, exact for every n. 1 when n is 0. */
  pValue: number;
}

/**
 * Sign test of "a difference is as likely positive as negative": with k the rarer sign among n,
 * p = min(1, 2 sum_{i<=k} C(n,i) / 2^n) (Dixon & Mood 1946, doi:10.1080/01621459.1946.10501898).
 * Assumes independent differences and nothing of their distribution. A p below 2^-1074 rounds to 0.
 * @param differences finite, in any unit
 */
export function signTest(differences: readonly number[]): SignTest {
  const positive = differences.filter((difference) => difference > 0).length;
  const negative = differences.filter((difference) => difference < 0).length;
  const n = positive + negative;
  return {
    n,
    positive,
    negative,
    zeros: differences.length - n,
    pValue: twoSidedShare(n, Math.min(positive, negative)),
  };
}

function twoSidedShare(n: number, rarer: number): number {
  let binomial = 1n;
  let tail = 0n;
  for (let k = 0; k <= rarer; k++) {
    tail += binomial;
    binomial = (binomial * BigInt(n - k)) / BigInt(k + 1);
  }
  return Math.min(1, toNumber({ numerator: 2n * tail, denominator: 1n << BigInt(n) }));
}
