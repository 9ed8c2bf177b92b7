import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectionRate } from '../../src/stats/injection.ts';
import { timesA, timesB } from './worked-times.ts';

const near = (rate: number | null, expected: number) =>
  expect(Math.abs(rate! / expected - 1)).toBeLessThan(1e-9);

test.each([0.1, -0.1, 0.05, 0.02])(
  'a change of %d shows in the worked sample as often as its tail does not',
  (change) => {
    near(detectionRate(timesA, change, 0.95), 0.7360989314997);
    expect(detectionRate(timesB, change, 0.95)).toBe(1);
  },
);

test('no change is found in either direction with the probability of the worked tail', () => {
  const oneSlow = [...new Array<bigint>(9).fill(100n), 120n];
  near(detectionRate(oneSlow, 0, 0.95), 1.339700050962e-8);
  near(detectionRate(timesA, 0, 0.95), 0.0005327861234933817);
});

test('values that overlap are found as often as exact fractions say', () => {
  const values = [100n, 101n, 103n, 106n, 110n, 115n, 121n, 128n];
  near(detectionRate(values, 0.03, 0.95), 0.00060579563989549);
  near(detectionRate(values, -0.03, 0.95), 0.0008524721913474309);
  near(detectionRate(values, 0.07, 0.95), 0.006251474732724915);
  near(detectionRate(values, 0.2, 0.95), 0.18634433953821272);
  near(detectionRate(values, 0, 0.95), 6.557541294682778e-5);
});

test('six values agree with counting all 6^12 pairs of groups', () => {
  const values = [10n, 11n, 12n, 13n, 14n, 15n];
  near(detectionRate(values, 0.2, 0.95), 15092263 / 241864704);
  near(detectionRate(values, -0.2, 0.95), 78232991 / 1088391168);
  near(detectionRate(values, 0, 0.95), 985475 / 1088391168);
});

test('200 values agree with exact fractions', () => {
  const values = Array.from({ length: 200 }, (_, i) => BigInt(100000 + 37 * i + ((i * i) % 91)));
  near(detectionRate(values, 0, 0.95), 0.003143572575300208);
  near(detectionRate(values, 0.01, 0.95), 0.43688265030998485);
});

test('ends that only touch are not disjoint, exactly', () => {
  // 100 and 107: multiplied by 1.07 the lower value meets the higher one.
  const values = [...new Array<bigint>(9).fill(100n), 107n];
  const touching = detectionRate(values, 0.07, 0.95)!;
  const clear = detectionRate(values, 0.0700001, 0.95)!;
  near(touching, 0.7360989314997);
  expect(clear).toBeGreaterThan(0.9);
});

test('equal values show any change and never none', () => {
  const same = new Array<bigint>(10).fill(5n);
  expect(detectionRate(same, 0.001, 0.95)).toBe(1);
  expect(detectionRate(same, -0.001, 0.95)).toBe(1);
  expect(detectionRate(same, 0, 0.95)).toBe(0);
});

test('five values have no interval and so no rate', () => {
  expect(detectionRate([1n, 2n, 3n, 4n, 5n], 0.1, 0.95)).toBeNull();
  expect(detectionRate([], 0.1, 0.95)).toBeNull();
});

test('a larger change is found at least as often, and always with a probability', () => {
  const values = fc.array(fc.integer({ min: 900, max: 1100 }), { minLength: 6, maxLength: 40 });
  const changes = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }));
  fc.assert(
    fc.property(values, changes, fc.constantFrom(1, -1), (numbers, [one, other], sign) => {
      const sums = numbers.map(BigInt);
      const rateOf = (thousandths: number) =>
        detectionRate(sums, (sign * thousandths) / 1000, 0.95)!;
      const [smaller, larger] = [rateOf(Math.min(one, other)), rateOf(Math.max(one, other))];
      expect(smaller).toBeGreaterThanOrEqual(0);
      expect(larger).toBeLessThanOrEqual(1);
      expect(larger).toBeGreaterThanOrEqual(smaller - 1e-12);
    }),
  );
});

test('ten thousand evenly spread values are found like normal medians', () => {
  // Rate of two disjoint 95 % intervals of equal normal medians: P(|Z| > 1.96 sqrt 2) = 0.00557.
  const values = Array.from({ length: 10_000 }, (_, i) => BigInt(1_000_000 + i));
  expect(detectionRate(values, 0, 0.95)).toBeCloseTo(0.0056, 3);
});
