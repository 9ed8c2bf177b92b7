import { expect, test } from 'vitest';
import { isStable, variationIsAtMost } from '../../src/stats/stability.ts';

/** The flag of trials by their kept repetitions, at 5 %. */
const judge = (trials: bigint[][], maxInTrialCv = 0.05) =>
  isStable(
    trials.map((kept) => ({
      sum: kept.reduce((sum, ns) => sum + ns, 0n),
      inTrialPasses: variationIsAtMost(kept, maxInTrialCv),
    })),
    0.05,
  );
const steady = (ns: bigint) => [ns, ns, ns, ns, ns];

test('a range of exactly 5 % is stable and one fifth of a nanosecond more is not', () => {
  // Means 100, 100, 105 ns: range 5 over median 100.
  expect(judge([steady(100n), steady(100n), steady(105n)])).toBe(true);
  const more = [105n, 105n, 105n, 105n, 106n];
  expect(judge([steady(100n), steady(100n), more])).toBe(false);
});

test('with an even number of trials the median is the mean of the middle two, exactly', () => {
  // Means 97.5, 99.5, 100.5, 102.5: range 5 over median 100.
  const half = (ns: bigint) => [ns, ns + 1n];
  expect(judge([half(97n), half(99n), half(100n), half(102n)])).toBe(true);
  // Median 99.75: range 5 is more than 5 %.
  expect(judge([half(97n), steady(99n).slice(0, 2), half(100n), half(102n)])).toBe(false);
});

test('a full set that passes does not promise that its subsets pass', () => {
  const means = [95n, 95n, 100n, 100n, 100n, 100n, 100n, 100n, 100n, 100n].map(steady);
  expect(judge(means)).toBe(true);
  expect(judge([steady(95n), steady(95n), steady(100n)])).toBe(false);
});

test('one trial that varies too much inside makes the item unstable', () => {
  const varying = [1000n, 1000n, 1000n, 1000n, 1115n];
  expect(judge([steady(1023n), varying])).toBe(false);
});

test('an in-trial CV of exactly the limit is stable', () => {
  // Mean 100, standard deviation 5.
  const exact = [95n, 100n, 105n];
  expect(judge([exact, exact])).toBe(true);
  expect(judge([exact, exact], 0.0499999999999)).toBe(false);
});

test('one trial, or one kept repetition, cannot be judged', () => {
  expect(judge([])).toBeNull();
  expect(judge([steady(100n)])).toBeNull();
  expect(judge([[100n], [100n]])).toBeNull();
});
