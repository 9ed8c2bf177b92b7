import { expect, test } from 'vitest';
import { analyzeSamples } from '../../src/analysis/analyze-samples.ts';
import { buildMeasurements } from './build-measurements.ts';

/** Times of an item that is first in even rounds, or in odd ones. */
const alternate = (rounds: number, inEven: number, inOdd: number) =>
  Array.from({ length: rounds }, (_, round) => (round % 2 === 0 ? inEven : inOdd));

test('the later half of ten rounds is 1 % slower, ten times of ten', () => {
  const { orderEffect } = analyzeSamples(
    buildMeasurements([
      { times: alternate(10, 1_000_000, 1_010_000) },
      { times: alternate(10, 2_020_000, 2_000_000) },
    ]),
  );
  expect(orderEffect).toEqual([
    {
      state: 'not-evaluable',
      phase: 'prefill',
      reason: '0 rounds with at least two valid trials of this phase; 6 are needed',
    },
    {
      state: 'evaluated',
      phase: 'decode',
      medianDifference: expect.closeTo(0.01, 12),
      rounds: 10,
      laterSlower: 10,
      laterFaster: 0,
      ties: 0,
      pValue: 2 / 1024,
    },
  ]);
});

test('an odd one in the middle belongs to neither half', () => {
  const { orderEffect } = analyzeSamples(
    buildMeasurements([
      { times: alternate(8, 1_000_000, 1_010_000) },
      { times: [100, 900, 200, 800, 300, 700, 400, 600] },
      { times: alternate(8, 2_020_000, 2_000_000) },
    ]),
  );
  expect(orderEffect[1]).toMatchObject({
    medianDifference: expect.closeTo(0.01, 12),
    laterSlower: 8,
  });
});

test('equal halves are ties, and rounding is no difference', () => {
  const { orderEffect } = analyzeSamples(
    buildMeasurements([
      { times: [100, 300, 700, 1100, 300, 300, 300] },
      { times: [10, 30, 70, 110, 30, 30, 30] },
    ]),
  );
  expect(orderEffect[1]).toMatchObject({
    medianDifference: 0,
    laterSlower: 0,
    laterFaster: 0,
    ties: 7,
    pValue: 1,
  });
});

test('five rounds cannot come out below 5 %, so nothing is said', () => {
  const { orderEffect } = analyzeSamples(
    buildMeasurements([
      { times: [...alternate(5, 100, 101), null] },
      { times: alternate(6, 101, 100) },
    ]),
  );
  expect(orderEffect[1]).toEqual({
    state: 'not-evaluable',
    phase: 'decode',
    reason: '5 rounds with at least two valid trials of this phase; 6 are needed',
  });
});
