import { expect, test } from 'vitest';
import { analyzeSteps } from '../../src/analysis/steps.ts';
import { ratioAcross, timeAcross } from '../../src/analysis/steps-across.ts';
import { createStepCollector } from '../../src/analysis/steps-collect.ts';
import { profileSteps } from '../../src/analysis/steps-profile.ts';
import { countBeyond, rankOfQuantile } from '../../src/analysis/steps-quantiles.ts';
import { describeSlowSteps } from '../../src/analysis/steps-slow.ts';
import { describeProcess } from '../../src/analysis/steps-statistics.ts';
import type { ProcessSteps } from '../../src/analysis/steps-times.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import { tokenAnalysisSchema } from '../../src/formats/token-analysis.ts';
import { buildLedger, buildPlan } from '../support/ledger-builder.ts';
import { buildStepLedger, stepPlan, type TimedRepetition } from '../support/step-campaign.ts';

const processOf = (changes: Partial<ProcessSteps>): ProcessSteps => ({
  trial: 0,
  round: 0,
  steps: 8,
  stepNs: Float64Array.of(...[10, 11, 12, 13, 14, 15, 16, 17], ...[20, 11, 12, 13, 14, 15, 16, 50]),
  prefillNs: [100, 110],
  own: { prefillNs: 130, firstStepNs: 25 },
  loadNs: 1500,
  clockNs: 0.5,
  ...changes,
});

test.each([
  [0.9, 10, 9],
  [0.9, 16, 15],
  [0.99, 320, 317],
  [0.99, 50, 50],
  [0.999, 999, 999],
  [0.999, 1000, 999],
  [0.9, 1, 1],
  [0.07, 100, 7], // 0.07 * 100 is 7.000000000000001 in floating point
])('the quantile %s of %i values is the value at rank %i', (quantile, count, rank) => {
  expect(rankOfQuantile(quantile, count)).toBe(rank);
  expect(countBeyond(quantile, count)).toBe(count - rank);
});

test('a process is described by its own kept steps', () => {
  expect(describeProcess(processOf({}))).toEqual({
    trial: 0,
    round: 0,
    meanStepNs: 16.1875, // 259 / 16
    medianStepNs: 14,
    p90Ns: 20, // rank 15 of 16
    p99Ns: 50,
    p999Ns: null,
    slowestStepNs: 50,
    firstEighthNs: 15, // of 10 and 20
    lastEighthNs: 33.5, // of 17 and 50
    prefillNs: 105,
    firstTokenNs: 120, // (100 + 10 + 110 + 20) / 2
    loadNs: 1500,
    firstTokenWithLoadNs: 1620,
    ownFirstTokenNs: 1655,
    clockNs: 0.5,
    slowSteps: 1,
    slowNs: 50,
  });
});

test('p99.9 is there as soon as one step lies beyond it', () => {
  const stepNs = Float64Array.from({ length: 1000 }, (_, index) => 1000 - index);
  expect(describeProcess(processOf({ steps: 500, stepNs })).p999Ns).toBe(999);
  const fewer = processOf({ steps: 333, stepNs: stepNs.slice(0, 999) });
  expect(describeProcess(fewer).p999Ns).toBeNull();
});

test('without an eighth there is no growth, and without a computed prompt no first token', () => {
  const few = { steps: 4, stepNs: Float64Array.of(1, 2, 3, 4), prefillNs: [null] };
  expect(describeProcess(processOf(few))).toMatchObject({
    firstEighthNs: null,
    lastEighthNs: null,
    prefillNs: null,
    firstTokenNs: null,
    firstTokenWithLoadNs: null,
    ownFirstTokenNs: null,
  });
});

test('an eighth is of every repetition: the last two of sixteen steps', () => {
  const repetition = Array.from({ length: 16 }, (_, step) => step + 1);
  const stepNs = Float64Array.of(...repetition, ...repetition.map((ns) => ns + 100));
  expect(describeProcess(processOf({ steps: 16, stepNs }))).toMatchObject({
    firstEighthNs: 51.5, // of 1, 2, 101, 102
    lastEighthNs: 65.5, // of 15, 16, 115, 116
  });
});

test('processes are summed up by their median and its order-statistic interval', () => {
  expect(timeAcross([3, 1, 2, 6, 5, 4])).toEqual({
    medianNs: 3.5,
    interval: {
      lowerNs: 1,
      upperNs: 6,
      coverage: 0.96875,
      coverageFraction: '31/32',
      ranks: [1, 6],
    },
    endpointDistance: 2.5 / 3.5,
  });
  expect(ratioAcross([1.9, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8])).toEqual({
    median: 1.5,
    interval: {
      lower: 1.2,
      upper: 1.8,
      coverage: 0.9609375,
      coverageFraction: '123/128',
      ranks: [2, 8],
    },
    endpointDistance: (1.8 - 1.5) / 1.5,
  });
  expect(timeAcross([3, 1, 2, 5, 4])).toEqual({
    medianNs: 3,
    interval: null,
    endpointDistance: null,
  });
  expect(timeAcross([])).toBeNull();
  expect(timeAcross([1, null])).toBeNull();
});

test('slow steps are counted by their place, against places that are all alike', () => {
  const processes = [
    { trial: 4, stepNs: Float64Array.of(10, 10, 30, 10, 25, 10, 10, 10) },
    { trial: 7, stepNs: Float64Array.of(10, 10, 21, 10, 10, 20, 10, 10) },
  ].map((one) => processOf({ ...one, steps: 4 }));
  const where = { steps: 4, sequenceLength: 254, warmup: 3 };
  expect(describeSlowSteps(processes, processes.map(describeProcess), where)).toEqual({
    timesMedian: 2,
    count: 3, // 20 is not above 2 x 10
    ofSteps: 16,
    shareOfTime: 76 / 216,
    processes: 2,
    byStep: [
      { step: 0, count: 1 },
      { step: 2, count: 2 },
    ],
    expectedPerStep: { mean: 0.75, standardDeviation: 0.75 },
    most: { step: 2, count: 2 },
    firstStep: { steps: 1, count: 1, expected: 0.75, standardDeviation: 0.75 },
    // the step with the 257th token: 254 + 2 were there before it
    cacheBorders: { steps: 1, count: 2, expected: 0.75, standardDeviation: 0.75 },
    listed: [
      { trial: 4, repetition: 3, step: 2, stepNs: 30, processMedianNs: 10 },
      { trial: 4, repetition: 4, step: 0, stepNs: 25, processMedianNs: 10 },
      { trial: 7, repetition: 3, step: 2, stepNs: 21, processMedianNs: 10 },
    ],
    notListed: 0,
  });
});

test('a profile is the median over processes of the median over repetitions, place by place', () => {
  const processes = [
    Float64Array.of(1, 10, 3, 20, 2, 90), // medians 2 and 20
    Float64Array.of(5, 40, 5, 40, 9, 50), // 5 and 40
  ].map((stepNs) => processOf({ steps: 2, stepNs }));
  expect(profileSteps(processes, 2)).toEqual([3.5, 30]);
  expect(profileSteps([], 2)).toEqual([]);
});

test('the first step is no border, even where the prompt fills the cache up to one', () => {
  const processes = [
    processOf({ steps: 257, stepNs: new Float64Array(257).fill(1).fill(5, 0, 1) }),
  ];
  const where = { steps: 257, sequenceLength: 512, warmup: 0 };
  expect(describeSlowSteps(processes, processes.map(describeProcess), where)).toMatchObject({
    firstStep: { steps: 1, count: 1 },
    cacheBorders: { steps: 1, count: 0, expected: 1 / 257 },
  });
});

test('a thousand slow steps are listed, the longest, and the others counted', () => {
  const stepNs = Float64Array.from({ length: 4000 }, (_, index) =>
    index < 1200 ? 100 + index : 1,
  );
  const processes = [processOf({ steps: 400, stepNs })];
  const where = { steps: 400, sequenceLength: 0, warmup: 0 };
  const slow = describeSlowSteps(processes, processes.map(describeProcess), where);
  expect(slow).toMatchObject({ count: 1200, notListed: 200 });
  expect(slow.listed).toHaveLength(1000);
  expect(slow.listed[0]).toMatchObject({ repetition: 2, step: 399, stepNs: 1299 });
  expect(slow.listed.at(-1)).toMatchObject({ repetition: 0, step: 200, stepNs: 300 });
});

function analyze(entries: readonly LedgerEntry[]) {
  const collector = createStepCollector();
  for (const entry of entries) collector.take(entry);
  return analyzeSteps(collector.finish(), new Map());
}

/** In round r each step takes 100 + r ns, the last of each repetition twice that. */
const steady = (round: number): TimedRepetition => {
  const ns = 100 + round;
  return [4000 + round, ns, ns, ns, ns, ns, ns, ns, 2 * ns];
};

test('a campaign is described item by item, warm-up left out', () => {
  const cold: TimedRepetition = [9000, 5000, 1, 1, 1, 1, 1, 1, 1];
  const analysis = analyze(
    buildStepLedger(stepPlan(), ({ round }) => [cold, steady(round), steady(round)]),
  );
  expect(() => tokenAnalysisSchema.parse(analysis)).not.toThrow();
  expect(analysis).toMatchObject({
    name: 'test-campaign',
    repetitions: { warmup: 1, kept: 2 },
    cachePreparation: 'compute',
    progress: { planned: 12, observed: 12, failed: 0 },
    otherUse: { seen: 0, notSeen: 12, notVisible: 0 },
    sessions: 1,
    environmentDifferences: [],
    drift: [{ state: 'evaluated', rounds: 6, firstMedianNs: 909, lastMedianNs: 936 }],
    warnings: [],
  });
  expect(analysis.items.map(({ architecture }) => architecture)).toEqual(['small', 'mid']);
  const covers = { coverage: 0.96875, coverageFraction: '31/32', ranks: [1, 6] };
  const from = (lowerNs: number, upperNs: number) => ({ lowerNs, upperNs, ...covers });
  for (const item of analysis.items) {
    expect(item).toMatchObject({
      phase: 'decode',
      n: 6,
      failed: 0,
      steps: 8,
      stepsPerProcess: 16,
      meanStep: { medianNs: 115.3125, interval: from(112.5, 118.125) }, // 9 / 8 of a step
      medianStep: { medianNs: 102.5, interval: from(100, 105) },
      p90: { medianNs: 205, interval: from(200, 210) }, // ranks 15 and 16 are the two last steps
      p99: { medianNs: 205 },
      p999: null,
      slowestStep: { medianNs: 205 },
      beyond: { p90: 1, p99: 0, p999: 0 },
      growth: {
        steps: 1,
        first: { medianNs: 102.5 },
        last: { medianNs: 205 },
        lastOverFirst: { median: 2, endpointDistance: 0 },
      },
      prefill: { medianNs: 4002.5, interval: from(4000, 4005) },
      firstToken: { medianNs: 4105, interval: from(4100, 4110) },
      firstTokenWithLoad: { medianNs: 5605 },
      ownFirstToken: { medianNs: 15_500 }, // 1500 + 9000 + 5000
      slow: { count: 0, ofSteps: 96, shareOfTime: 0, processes: 0, most: null },
      profileNs: [102.5, 102.5, 102.5, 102.5, 102.5, 102.5, 102.5, 205],
      missing: [
        {
          field: 'p999',
          reason:
            'the 16 kept steps of a process leave none beyond its 99.9 % rank, so it would be the slowest step again; it takes 1000',
        },
      ],
    });
    expect(item.tokensPerSecond).toBeCloseTo(8_672_086.72, 1); // 1e9 / 115.3125
    expect(item.clock).toEqual({ readingNs: 0.5, shareOfMedianStep: 0.5 / 102.5 });
    // a mean step is the repetition's time over its steps, exactly
    expect(item.processes.map(({ meanStepNs }) => meanStepNs * 8)).toEqual([
      900, 909, 918, 927, 936, 945,
    ]);
  }
});

test('a clock that takes more than a hundredth of a step is said before all else', () => {
  const entries = buildStepLedger(
    stepPlan(),
    ({ round }) => [steady(round), steady(round), steady(round)],
    2,
  );
  expect(analyze(entries).warnings).toEqual([
    'CAREFUL, small F16 S128: one reading of the clock takes 2.0 ns, 1.95 % of a median step, and each step holds one.',
    'CAREFUL, mid Q8_0 S512: one reading of the clock takes 2.0 ns, 1.95 % of a median step, and each step holds one.',
  ]);
});

test('failed processes are counted, and with fewer than six there is no interval', () => {
  const analysis = analyze(
    buildStepLedger(stepPlan(), ({ round, item }) =>
      round === 0 && item.architecture === 'mid'
        ? null
        : [steady(round), steady(round), steady(round)],
    ),
  );
  expect(analysis.progress).toEqual({ planned: 12, observed: 11, failed: 1 });
  expect(analysis.items[1]).toMatchObject({
    n: 5,
    failed: 1,
    medianStep: { medianNs: 103, interval: null, endpointDistance: null },
  });
  expect(analysis.items[1]!.missing.at(-1)).toEqual({
    field: 'interval',
    reason: 'n = 5: an interval that covers at least 0.95 needs 6 processes',
  });
});

test('a restored cache leaves no time to the first token, and says so', () => {
  const restored = ([, ...stepNs]: TimedRepetition): TimedRepetition => [null, ...stepNs];
  const plan = stepPlan({ cachePreparation: 'restore' });
  const [item] = analyze(
    buildStepLedger(plan, ({ round }) => [
      steady(round),
      restored(steady(round)),
      restored(steady(round)),
    ]),
  ).items;
  expect(item).toMatchObject({ prefill: null, firstToken: null, ownFirstToken: null });
  const fields = item!.missing.filter(({ reason }) => reason.includes('restored from a copy'));
  expect(fields.map(({ field }) => field)).toEqual([
    'prefill',
    'firstToken',
    'firstTokenWithLoad',
    'ownFirstToken',
  ]);
});

test('an unfinished campaign is described as far as it is, an item without processes too', () => {
  const entries = buildStepLedger(stepPlan(), ({ round }) => [
    steady(round),
    steady(round),
    steady(round),
  ]);
  const analysis = analyze(entries.slice(0, 4)); // campaign, session, and one trial
  expect(() => tokenAnalysisSchema.parse(analysis)).not.toThrow();
  expect(analysis.progress).toEqual({ planned: 12, observed: 1, failed: 0 });
  expect(analysis.warnings).toEqual(['CAREFUL, not complete: 11 trials of 12 not measured yet.']);
  const empty = analysis.items.find(({ n }) => n === 0)!;
  expect(empty).toMatchObject({ medianStep: null, slow: null, clock: null, processes: [] });
  expect(new Set(empty.missing.map(({ reason }) => reason))).toEqual(
    new Set(['no process of it was observed']),
  );
});

test('a campaign that timed its steps together is refused', () => {
  expect(() => analyze(buildLedger(buildPlan(), () => [1, 2, 3, 4]))).toThrow(
    'test-campaign has no times of single decode steps',
  );
});

test.each<[string, (entry: LedgerEntry) => void, string]>([
  [
    'a step less',
    (entry) => entry.type === 'observed' && entry.repetitions[1]!.stepNs!.pop(),
    'repetition 1 has 7 of 8 steps',
  ],
  [
    'a longer step',
    (entry) => {
      if (entry.type === 'observed') entry.repetitions[2]!.stepNs![0] = 101;
    },
    'the steps of repetition 2 add up to 901 ns, not to 900 ns',
  ],
  [
    'no word on the prefill',
    (entry) => entry.type === 'observed' && delete entry.repetitions[0]!.prefillNs,
    'repetition 0 does not say what its prefill took',
  ],
])('%s than its plan and its whole say breaks the ledger', (_what, change, fault) => {
  const entries = structuredClone(
    buildStepLedger(stepPlan(), () => [steady(0), steady(0), steady(0)]).slice(0, 4),
  );
  for (const entry of entries) change(entry);
  const collector = createStepCollector();
  for (const entry of entries) collector.take(entry);
  expect(() => collector.finish()).toThrow(
    expect.objectContaining({ code: 'ledger-broken', faults: [{ where: 'entry 3', what: fault }] }),
  );
});
