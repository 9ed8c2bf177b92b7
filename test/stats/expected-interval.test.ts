import { expect, test } from 'vitest';
import { createRandom } from '../../src/random.ts';
import {
  expectedHalfWidth,
  expectedNormalOrder,
  varianceRatioRange,
} from '../../src/stats/expected-interval.ts';
import { medianInterval } from '../../src/stats/median-interval.ts';

/** Standard normal values by Box & Muller (1958), one of each pair; the same from the same seed. */
function createNormal(seed: string): () => number {
  const random = createRandom(seed);
  const uniform = () => (random.nextUint32() + 0.5) / 2 ** 32;
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

// Harter (1961) prints 5 decimals (1.26721 for 6 of 6); the rest is adaptive integration elsewhere.
test.each([
  [2, 2, 0.5641895835477562],
  [3, 3, 0.8462843753216344],
  [5, 5, 1.1629644736405211],
  [6, 6, 1.267206360611472],
  [10, 10, 1.5387527308351743],
  [10, 9, 1.001357044575814],
  [20, 20, 1.86747505979832],
  [20, 15, 0.5902969215429106],
  [100, 61, 0.2657229857735736],
  [100, 100, 2.507593636436256],
  [1000, 532, 0.07902400932708444],
  [10000, 5099, 0.024692267571437988],
])('of %i normal values the %i-th is expected at %f', (n, rank, expected) => {
  expect(expectedNormalOrder(n, rank)).toBeCloseTo(expected, 10);
  expect(expectedNormalOrder(n, n + 1 - rank)).toBeCloseTo(-expected, 10);
});

test('two and three normal values have closed forms, the middle one of an odd number lies at 0', () => {
  expect(expectedNormalOrder(2, 2)).toBeCloseTo(1 / Math.sqrt(Math.PI), 12);
  expect(expectedNormalOrder(3, 3)).toBeCloseTo(3 / (2 * Math.sqrt(Math.PI)), 12);
  expect(expectedNormalOrder(1, 1)).toBeCloseTo(0, 14);
  expect(expectedNormalOrder(9, 5)).toBeCloseTo(0, 14);
});

test('the half-width is that of the ranks of the interval, and null below 6 values', () => {
  expect([1, 2, 5].map((n) => expectedHalfWidth(n, 0.95))).toEqual([null, null, null]);
  expect([6, 8, 9, 11, 12].map((n) => expectedHalfWidth(n, 0.95)!.toFixed(4))).toEqual([
    '1.2672',
    '1.4236',
    '0.9323',
    '1.0619',
    '0.7928',
  ]);
});

test.each([6, 8, 10, 20, 41])(
  'simulated intervals of %i normal values have the expected half-width',
  (n) => {
    const normal = createNormal(`half-width/${n}`);
    const samples = 4_000;
    let sum = 0;
    for (let sample = 0; sample < samples; sample++) {
      const values = Array.from({ length: n }, () => BigInt(Math.round(1e6 * normal())));
      const { lower, upper } = medianInterval(values, 0.95)!;
      sum += Number(upper - lower) / 2e6;
    }
    expect(sum / samples / expectedHalfWidth(n, 0.95)!).toBeGreaterThan(0.98);
    expect(sum / samples / expectedHalfWidth(n, 0.95)!).toBeLessThan(1.02);
  },
);

test.each([
  [1, 5.023886187314888, 0.0009820691171752555],
  [2, 7.377758908227871, 0.05063561596857975],
  [3, 9.348403604496148, 0.21579528262389785],
  [9, 19.02276779864163, 2.7003894999803584],
  [10, 20.483177350807388, 3.2469727802368413],
  [1000, 1089.5309127749135, 914.257153799259],
])('%i degrees of freedom: a variance over chi-square quantiles %f and %f', (df, upper, lower) => {
  const [least, most] = varianceRatioRange(df, 0.95);
  expect((least * upper) / df).toBeCloseTo(1, 10);
  expect((most * lower) / df).toBeCloseTo(1, 10);
  expect(varianceRatioRange(5_000, 0.95)).toEqual(varianceRatioRange(1_000, 0.95));
});
