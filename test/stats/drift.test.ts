import { expect, test } from 'vitest';
import { linearDriftToReach, measureDrift } from '../../src/stats/drift.ts';
import { toNumber } from '../../src/stats/fraction.ts';

const rule = { minRounds: 10, edgeRounds: 5, above: 0.05 };
const five = (ns: bigint) => [ns, ns, ns, ns, ns];

test('exactly 5 % is no drift, one nanosecond more is, in either direction', () => {
  expect(measureDrift([...five(100n), ...five(105n)], rule)?.exceeded).toBe(false);
  expect(measureDrift([...five(100n), ...five(95n)], rule)?.exceeded).toBe(false);
  expect(measureDrift([...five(10_000n), ...five(10_501n)], rule)?.exceeded).toBe(true);
  expect(measureDrift([...five(10_000n), ...five(9_499n)], rule)?.exceeded).toBe(true);
});

test('the change compares the medians of the first and the last five', () => {
  const drift = measureDrift([100n, 900n, 101n, 1n, 102n, 500n, 111n, 110n, 113n, 112n, 10n], rule);
  expect(drift?.firstMedian).toEqual({ numerator: 101n, denominator: 1n });
  expect(drift?.lastMedian).toEqual({ numerator: 111n, denominator: 1n });
  expect(toNumber(drift!.change)).toBeCloseTo(10 / 101, 15);
});

test('an even edge halves exactly and the sign is kept', () => {
  const drift = measureDrift([100n, 101n, 7n, 98n, 99n], {
    minRounds: 4,
    edgeRounds: 2,
    above: 0.05,
  });
  expect(toNumber(drift!.change)).toBeCloseTo(98.5 / 100.5 - 1, 15);
});

test('nine rounds cannot be evaluated, nor edges that overlap', () => {
  expect(measureDrift([...five(100n), ...five(200n).slice(1)], rule)).toBeNull();
  const overlapping = { minRounds: 2, edgeRounds: 5, above: 0.05 };
  expect(measureDrift([...five(100n), ...five(200n).slice(1)], overlapping)).toBeNull();
});

test('a linear drift must reach 9 % over ten rounds to be seen', () => {
  expect(toNumber(linearDriftToReach(10, rule))).toBe(0.09);
});
