import { expect, test } from 'vitest';
import { isWithinLevel, normalTail, tailValue } from '../../src/stats/tail-probability.ts';

test('the normal tail is two-sided and drawn in by the correction', () => {
  expect(tailValue(normalTail(1.959963984540054, 1, 0))).toBeCloseTo(0.05, 15);
  expect(tailValue(normalTail(20.599639845400542, 10, 1))).toBeCloseTo(0.05, 15);
  expect(tailValue(normalTail(0.5, 1, 0.5))).toBe(1);
  expect(tailValue(normalTail(0, 1, 0.5))).toBe(1);
  expect(tailValue(normalTail(0, 0, 0.5))).toBe(1);
});

test('a share equal to 1 - level is within it, although 1 - 0.95 rounds above 0.05', () => {
  const share = (numerator: bigint, denominator: bigint) => ({
    method: 'exact' as const,
    share: { numerator, denominator },
  });
  expect(isWithinLevel(share(1n, 20n), 0.95)).toBe(true);
  expect(isWithinLevel(share(10n ** 17n + 1n, 20n * 10n ** 17n), 0.95)).toBe(false);
  expect(isWithinLevel({ method: 'normal', value: 0.049 }, 0.95)).toBe(true);
  expect(isWithinLevel({ method: 'normal', value: 0.051 }, 0.95)).toBe(false);
});
