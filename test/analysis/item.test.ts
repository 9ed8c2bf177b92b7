import { expect, test } from 'vitest';
import { analyzeSamples } from '../../src/analysis/analyze-samples.ts';
import { buildMeasurements } from './build-measurements.ts';

const fiveAndFive = [100, 101, 100, 101, 100, 120, 121, 120, 121, 120];

test('from no trial to six: what there is, and a reason for all that is not', () => {
  const times = [1000, 1010, 1020, 1030, 1040, 1050];
  const given = [0, 1, 2, 3, 4, 5, 6].map((n) => ({ times: times.slice(0, n) }));
  const { items } = analyzeSamples(buildMeasurements(given));
  const short = ['interval', 'simultaneousInterval', 'endpointDistance', 'injection'];
  expect(items.map(({ missing }) => missing.map(({ field }) => field).sort())).toEqual(
    [
      [
        ...['representativeNs', 'tokensPerSecond', 'cv', 'inTrialCvMax', 'relativeRange'],
        ...['stable', 'tail', 'trend', 'twoSpeed', ...short],
      ],
      ['cv', 'relativeRange', 'stable', 'trend', 'twoSpeed', ...short],
      ['trend', 'twoSpeed', ...short],
      ['trend', 'twoSpeed', ...short],
      ['twoSpeed', ...short],
      ['twoSpeed', ...short],
      ['simultaneousInterval'],
    ].map((fields) => fields.sort()),
  );
  // Six items have a trial: 2/2^n must be at most .05/6.
  expect(items[6]?.missing[0]?.reason).toBe(
    'n = 6: intervals of 6 items that cover at least 0.95 together need 8 trials each',
  );
  expect(items[6]).toMatchObject({
    interval: { lowerNs: 1000, upperNs: 1050, coverageFraction: '31/32', ranks: [1, 6] },
    endpointDistance: 25 / 1025,
    trend: { rho: 1, pValue: 2 / 720, method: 'exact' },
  });
});

test('items with more and with fewer trials share one family and its joint coverage', () => {
  const ten: (number | null)[] = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19].map((time) => time * 100);
  const { items, roundSubsets } = analyzeSamples(
    buildMeasurements([{ times: ten }, { times: ten.with(3, null) }, { times: [] }]),
  );
  expect(items.map(({ n, failed }) => [n, failed])).toEqual([
    [10, 0],
    [9, 1],
    [0, 0],
  ]);
  // Two items at 97.5 % each: ranks 2 of 10 miss with 22/1024, ranks 1 of 9 with 2/512.
  expect(items[0]?.simultaneousInterval).toMatchObject({
    ranks: [2, 9],
    coverageFraction: '501/512',
    familySize: 2,
    jointCoverage: 0.974609375,
    jointCoverageFraction: '499/512',
  });
  expect(items[1]?.simultaneousInterval).toMatchObject({
    ranks: [1, 9],
    coverageFraction: '255/256',
    jointCoverageFraction: '499/512',
  });
  expect(roundSubsets).toEqual({
    state: 'not-evaluable',
    reason: '0 rounds in which every item has a valid trial; 4 are needed',
  });
});

test('the subsets are those of the rounds that are whole', () => {
  const ten: (number | null)[] = Array(10).fill(1000);
  const { roundSubsets } = analyzeSamples(
    buildMeasurements([{ times: ten }, { times: ten.with(3, null) }]),
  );
  expect(roundSubsets).toMatchObject({ rounds: 9, subsets: 84, minimum: 2, maximum: 2 });
});

test('ten rounds that pass hold eight threes that fail', () => {
  // 5/100 passes; of the threes only those with both 95 fail, by 5/95.
  const times = [95, 95, 100, 100, 100, 100, 100, 100, 100, 100];
  const { items, roundSubsets } = analyzeSamples(buildMeasurements([{ times }]));
  expect(items[0]).toMatchObject({ relativeRange: 0.05, stable: true });
  expect(roundSubsets).toMatchObject({ subsets: 120, minimum: 0, histogram: [8, 112] });
});

test('two speeds are told apart, with both times', () => {
  const { items } = analyzeSamples(buildMeasurements([{ times: fiveAndFive }]));
  expect(items[0]?.twoSpeed).toEqual({
    isTwoSpeed: true,
    fastCount: 5,
    slowCount: 5,
    fastNs: 100,
    slowNs: 120,
    relativeGap: expect.closeTo(19 / 110.5, 14),
  });
});

test('with two speeds the share of slow trials has no bounds, and it says why', () => {
  // The median lies between the speeds; nine processes with five slow ones have it at the slow one.
  const times = [16_231, 16_396, 16_838, 19_410, 23_272, 23_478, 23_542, 23_606, 24_021];
  const { items } = analyzeSamples(buildMeasurements([{ times: fiveAndFive }, { times }]));
  for (const { tail, missing, twoSpeed } of items) {
    expect(twoSpeed?.isTwoSpeed).toBe(true);
    expect(tail).toMatchObject({ slowLowerBound: null, slowUpperBound: null });
    expect(missing.filter(({ field }) => field.startsWith('tail.'))).toEqual(
      ['tail.slowLowerBound', 'tail.slowUpperBound'].map((field) => ({
        field,
        reason: expect.stringContaining('two speeds: the threshold'),
      })),
    );
  }
  expect(items.map(({ tail }) => tail?.slowCount)).toEqual([5, 0]);
});

test('the p-values of the trends are adjusted over the items that have one', () => {
  const { items } = analyzeSamples(
    buildMeasurements([
      { times: [100, 110, 120, 130] }, // rho 1: 2 of 24 orders are as far from 0
      { times: [130, 120, 110, 100] },
      { times: [100, 120, 110, 130] }, // rho .8: 8 of 24
      { times: [100, 100, 100, 100] },
    ]),
  );
  expect(
    items.map(({ trend }) => trend && [trend.rho, trend.pValue, trend.adjustedPValue]),
  ).toEqual([
    [1, expect.closeTo(1 / 12, 12), expect.closeTo(1 / 4, 12)],
    [-1, expect.closeTo(1 / 12, 12), expect.closeTo(1 / 4, 12)],
    [expect.closeTo(0.8, 12), expect.closeTo(1 / 3, 12), expect.closeTo(1 / 3, 12)],
    null,
  ]);
  expect(items[3]?.missing).toContainEqual({
    field: 'trend',
    reason: 'all trial means are equal',
  });
});

test('without the spread inside one trial the flag and the largest CV stay open', () => {
  const measurements = buildMeasurements([{ times: [100, 100, 100] }]);
  Object.assign(measurements.trials[1]!, { inTrialCv: null, inTrialPasses: null });
  const { items } = analyzeSamples(measurements);
  expect(items[0]).toMatchObject({ stable: null, inTrialCvMax: null });
  expect(items[0]?.missing).toContainEqual({
    field: 'stable',
    reason: 'the spread inside 1 trial is not known',
  });
});

test('without the number of decode steps a decode has no tokens per second', () => {
  const { items } = analyzeSamples(
    buildMeasurements([{ times: [100] }, { times: [100], phase: 'prefill' }], {
      decodeSteps: null,
    }),
  );
  expect(items.map(({ tokensPerSecond }) => tokensPerSecond)).toEqual([null, 512e7]);
  expect(items[0]?.missing).toContainEqual({
    field: 'tokensPerSecond',
    reason: 'the number of decode steps is not known',
  });
});

test('decimals of a table are as exact as whole nanoseconds', () => {
  // 100.0 to 105.0 and 100.0 to 105.1: 5 % of 100 and one tenth more.
  const exact = analyzeSamples(
    buildMeasurements([{ times: [1000, 1000, 1050] }, { times: [1000, 1000, 1051] }], {
      unitsPerNs: 10n,
    }),
  );
  expect(exact.items.map(({ stable, representativeNs }) => [stable, representativeNs])).toEqual([
    [true, 100],
    [false, 100],
  ]);
});

test('a decimal beyond the whole numbers of a double is still rounded once', () => {
  const measurements = buildMeasurements([{ times: [1] }], { unitsPerNs: 1000n });
  measurements.trials[0]!.sum = 27_021_597_765_457_546n;
  const { items, trials } = analyzeSamples(measurements);
  expect(trials[0]?.trialMeanNs).toBe(27_021_597_765_457.547);
  expect(items[0]?.representativeNs).toBe(27_021_597_765_457.547);
});
