import { expect, test } from 'vitest';
import { isStable } from '../../src/stats/stability.ts';

const limits = { maxRelativeRange: 0.05, maxInTrialCv: 0.05 };
const steady = (ns: bigint) => [ns, ns, ns, ns, ns];

test('a range of exactly 5 % is stable and one fifth of a nanosecond more is not', () => {
  // Means 100, 100, 105 ns: range 5 over median 100.
  expect(isStable([steady(100n), steady(100n), steady(105n)], limits)).toBe(true);
  const more = [105n, 105n, 105n, 105n, 106n];
  expect(isStable([steady(100n), steady(100n), more], limits)).toBe(false);
});

test('with an even number of trials the median is the mean of the middle two, exactly', () => {
  // Means 97.5, 99.5, 100.5, 102.5: range 5 over median 100.
  const half = (ns: bigint) => [ns, ns + 1n];
  expect(isStable([half(97n), half(99n), half(100n), half(102n)], limits)).toBe(true);
  // Median 99.75: range 5 is more than 5 %.
  expect(isStable([half(97n), steady(99n).slice(0, 2), half(100n), half(102n)], limits)).toBe(
    false,
  );
});

test('a full set that passes does not promise that its subsets pass', () => {
  const means = [95n, 95n, 100n, 100n, 100n, 100n, 100n, 100n, 100n, 100n].map(steady);
  expect(isStable(means, limits)).toBe(true);
  expect(isStable([steady(95n), steady(95n), steady(100n)], limits)).toBe(false);
});

test('one trial that varies too much inside makes the item unstable', () => {
  const varying = [1000n, 1000n, 1000n, 1000n, 1115n];
  expect(isStable([steady(1023n), varying], limits)).toBe(false);
});

test('an in-trial CV of exactly the limit is stable', () => {
  // Mean 100, standard deviation 5.
  const exact = [95n, 100n, 105n];
  expect(isStable([exact, exact], limits)).toBe(true);
  expect(isStable([exact, exact], { ...limits, maxInTrialCv: 0.0499999999999 })).toBe(false);
});

test('one trial, or one kept repetition, cannot be judged', () => {
  expect(isStable([], limits)).toBeNull();
  expect(isStable([steady(100n)], limits)).toBeNull();
  expect(isStable([[100n], [100n]], limits)).toBeNull();
});
