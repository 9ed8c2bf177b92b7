import { describe, expect, test } from 'vitest';
import { computeNormalQuantiles } from '../../src/gguf/normal-quantiles.ts';
import { sha256Hex } from '../../src/hash.ts';

describe('the table of normal quantiles', () => {
  const table = computeNormalQuantiles();

  test('is frozen', () => {
    expect(sha256Hex(new Uint8Array(table.buffer))).toBe(
      '1cfbba1e07e34386a57626f82aeb43e6ed54ba70a3ea6b7d964dc66a841074a8',
    );
  });

  // values of Python's statistics.NormalDist().inv_cdf((i + 0.5) / 65536), rounded to a float
  test.each([
    [0, -4.324919],
    [1, -4.0762067],
    [100, -2.9609401],
    [32_767, -1.9124056e-5],
    [32_768, 1.9124056e-5],
    [40_000, 0.28025535],
    [65_000, 2.401183],
    [65_535, 4.324919],
  ])('holds at %i the quantile %f', (index, quantile) => {
    expect(table[index]).toBe(Math.fround(quantile));
  });

  test('is symmetric, ascending and has mean 0 and variance just below 1', () => {
    const ascending = table.every((quantile, index) => index === 0 || quantile > table[index - 1]!);
    const symmetric = table.every((quantile, index) => quantile === -table[65_535 - index]!);
    const squares = table.reduce((sum, quantile) => sum + quantile * quantile, 0);
    expect({ ascending, symmetric }).toEqual({ ascending: true, symmetric: true });
    expect(squares / 65_536).toBeCloseTo(0.99998, 5);
  });
});
