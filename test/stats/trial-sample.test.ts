import { expect, test } from 'vitest';
import { takeTrialSample } from '../../src/stats/trial-sample.ts';

const counts = { warmup: 20, kept: 5 };
const warmup = Array.from({ length: 20 }, () => 99_000);

test('only the last five repetitions are summed', () => {
  expect(takeTrialSample([...warmup, 1, 2, 3, 4, 6], counts)).toEqual({
    state: 'valid',
    kept: [1n, 2n, 3n, 4n, 6n],
    keptSum: 16n,
  });
});

test('24 and 26 repetitions are failures, not shorter or longer samples', () => {
  const invalid = { state: 'invalid', code: 'wrong-repetition-count' };
  expect(takeTrialSample([...warmup, 1, 2, 3, 4], counts)).toEqual(invalid);
  expect(takeTrialSample([...warmup, 1, 2, 3, 4, 5, 6], counts)).toEqual(invalid);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1.5])(
  'a time of %d ns anywhere, warm-up included, is a failure',
  (ns) => {
    const invalid = { state: 'invalid', code: 'invalid-time' };
    expect(takeTrialSample([...warmup, 1, 2, 3, 4, ns], counts)).toEqual(invalid);
    expect(takeTrialSample([ns, ...warmup.slice(1), 1, 2, 3, 4, 5], counts)).toEqual(invalid);
  },
);
