import { expect, test } from 'vitest';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { analyzeSamples } from '../../src/analysis/analyze-samples.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import type { Measurements } from '../../src/analysis/measurements.ts';
import { aboutStatistics } from '../../src/analysis/sample-caveats.ts';
import { buildLedger, buildPlan } from '../support/ledger-builder.ts';
import { analyzeWorked, workedTimes } from '../support/worked-campaign.ts';
import { buildMeasurements, declaration, type GivenItem } from './build-measurements.ts';

const closeOf = (given: GivenItem[], changes: Partial<Measurements> = {}) =>
  analyzeSamples(buildMeasurements(given, changes)).closure;

/** Six trials whose interval reaches from the first to the last. */
const six = (lower: number, upper: number) => [lower, 1000, 1000, 1000, 1000, upper];

const fiveAndFive = [1000, 1000, 1000, 1000, 1000, 2000, 2000, 2000, 2000, 2000];

test('the worked campaign is explorable for its declared target, A with the least room', async () => {
  const { closure } = await analyzeWorked();
  expect(closure).toMatchObject({
    targetDifference: 0.1,
    rule: 'largest-endpoint-distance',
    maxShareOfTarget: 0.5,
    limit: 0.05,
    targetSource: 'plan',
  });
  expect(closure.items[3]).toEqual({
    item: 3,
    state: 'explorable',
    endpointDistance: 7 / 2965,
    smallestTarget: 14 / 2965,
    simultaneousSeparates: false, // 16.94 / 14.78 = 1.146
    injectionRate: expect.closeTo(0.7360989315, 10),
    injectionRateAtZero: expect.closeTo(0.0005327861234933817, 15),
    // The upper end comes within 5 % at place 9.34 of 11; 2/10 is the first quantile beyond .151.
    trialsNeeded: 9,
    reason: 'its interval reaches 0.24 % from its median; at most 5 % is allowed',
  });
  expect(closure.items[0]).toMatchObject({
    endpointDistance: 7 / 3261,
    simultaneousSeparates: true,
    injectionRate: 1,
    trialsNeeded: 6,
  });
  expect(closure.family).toEqual({
    state: 'explorable',
    items: 4,
    explorable: 4,
    largestCv: expect.closeTo(0.0446314458, 10),
    largestEndpointDistance: 7 / 2965,
    smallestTarget: 14 / 2965,
    trialsNeeded: 9,
    largestUpperOverLower: expect.closeTo(1.14614344, 8),
    cannotSeparate: 1,
    jointCoverage: 0.9921875,
    lowestInjectionRate: expect.closeTo(0.7360989315, 10),
    limitedBy: [],
  });
  expect(closure.sentences).toEqual([
    'Can a difference of 10 % be explored here? Yes, for all 4 items.',
    'The whole family of 4 items is explorable for 10 %. By the rule the best item allows targets from 0.43 % on, and all items together allow targets from 0.48 % on.',
    'The target of 10 % and the rule were declared before the first trial. The rule: an item is explorable when the farther end of the interval of its median lies at most 5 % from the median, 0.5 of the target.',
    'The largest CV of trial means is 4.46 % (ddof 1; mid Q8_0 S512 decode).',
    'The largest distance of an interval’s end from its median is 0.24 % (mid Q8_0 S512 decode).',
    'Simultaneous intervals (Bonferroni over 4 items, together at least 99.2 %): the largest upper/lower is 1.146, to be held against 1.1; in 1 of 4 items they cannot separate a difference of 10 %.',
    'When +10 % is put into one of two groups drawn from an item’s own trials, their intervals lie apart in at least 73.6 % of draws (mid Q8_0 S512 decode); with nothing put in, in 0.1 % of draws.',
  ]);
});

test('a distance of exactly the limit is explorable and one nanosecond more is not', () => {
  const { items, sentences } = closeOf([{ times: six(950, 1050) }, { times: six(950, 1051) }]);
  expect(items.map(({ state }) => state)).toEqual(['explorable', 'not-explorable']);
  expect(items[1]?.endpointDistance).toBe(0.051);
  expect(sentences[0]).toBe(
    'Can a difference of 10 % be explored here? Yes for 1 of 2 items; not for 1 (in brackets how far the interval reaches from the median): item-1 Q8_0 S512 decode (5.10 %).',
  );
});

test('the limit is the product of the decimals as written: .1 of .7 is .07', () => {
  // In floating point it is .06999999999999999.
  const { items, limit } = closeOf([{ times: six(1000, 1070) }], {
    declaration: {
      ...declaration,
      targetDifference: 0.7,
      closureRule: { rule: 'largest-endpoint-distance', maxShareOfTarget: 0.1 },
    },
  });
  expect(limit).toBe(0.07);
  expect(items[0]).toMatchObject({ state: 'explorable', smallestTarget: 0.7 });
});

test('what is a hair over the limit is not printed as the limit', () => {
  const times = six(1000, 1050).map((time) => time * 10_000);
  const { items } = closeOf([{ times: times.with(5, 10_500_001) }]);
  expect(items[0]).toMatchObject({
    state: 'not-explorable',
    reason: 'its interval reaches just over 5 % from its median; at most 5 % is allowed',
  });
});

test('what it would take is told for each item, with what cannot be reached', () => {
  const { items, family, sentences } = closeOf([
    { times: six(900, 1100) },
    { times: fiveAndFive },
    { times: six(1000, 1000) },
    { times: [1000, 1000] },
  ]);
  expect(items.map(({ state, trialsNeeded }) => [state, trialsNeeded])).toEqual([
    ['not-explorable', 15],
    ['not-explorable', null],
    ['explorable', 6],
    ['not-evaluable', null],
  ]);
  expect(items[1]?.reason).toBe(
    'its interval reaches 33.3 % from its median; at most 5 % is allowed; more than 10,000 trials spread like these are needed',
  );
  expect(items[3]?.reason).toBe('n = 2: an interval that covers at least 0.95 needs 6 trials');
  expect(family).toMatchObject({
    state: 'not-explorable',
    explorable: 1,
    largestEndpointDistance: 500 / 1500,
    smallestTarget: null,
    trialsNeeded: null,
    limitedBy: [3, 1, 0],
  });
  expect(sentences.slice(0, 3)).toEqual([
    'Can a difference of 10 % be explored here? Yes for 1 of 4 items; not for 2 (in brackets how far the interval reaches from the median): item-1 Q8_0 S512 decode (33.3 %) and item-0 Q8_0 S512 decode (10.0 %); 1 cannot be judged without an interval, which needs 6 valid trials: item-3 Q8_0 S512 decode.',
    'The whole family of 4 items is not explorable for 10 %: item-1 Q8_0 S512 decode is what limits it most. By the rule the best item allows targets from 0.00 % on.',
    'What it would take, if further trials are spread like these: about 15 trials of item-0 Q8_0 S512 decode (now 6); more than 10,000 trials of 1 item; nothing can be projected for 1 item without an interval. This is projected from the trials seen: redraws of these trials reach it in about half to nine tenths, in fewer where they fall into groups, and tails that have not shown themselves break it.',
  ]);
});

test('fewer trials than there are would do only by luck of the ranks, so more are asked for', () => {
  // 5 % is reached at place 2.2 of 12: 2/10 of n = 9 is beyond it, 2/12 of these eleven is not.
  const times = [90, 94, 99, 100, 100, 100, 100, 100, 100, 100, 100];
  expect(closeOf([{ times }]).items[0]).toMatchObject({
    state: 'not-explorable',
    trialsNeeded: 12,
  });
});

test('an explorable item never needs more trials than it has', () => {
  // 1000 x 1.015 is a hair less than 1015 in floating point.
  const { items } = closeOf([{ times: six(1000, 1015) }], { targetDifference: 0.03 });
  expect(items[0]).toMatchObject({ state: 'explorable', trialsNeeded: 6 });
});

test('of many items the worst are named, and how many more there are', () => {
  const given = [910, 920, 930, 940, 945, 949, 950].map((lower) => ({ times: six(lower, 1000) }));
  expect(closeOf(given).sentences[0]).toBe(
    'Can a difference of 10 % be explored here? Yes for 1 of 7 items; not for 6 (in brackets how far the interval reaches from the median): item-0 Q8_0 S512 decode (9.00 %), item-1 Q8_0 S512 decode (8.00 %), item-2 Q8_0 S512 decode (7.00 %), item-3 Q8_0 S512 decode (6.00 %) and 2 more.',
  );
});

test('the family needs as many trials of each item as the worst', () => {
  const { family, sentences } = closeOf([{ times: six(900, 1100) }, { times: six(940, 1060) }]);
  // 6 % at the end, 5 % a sixth on: 1.1667/7 = 1/6. 2/10 is the first above it, 2/12 still is as much.
  expect(family).toMatchObject({ trialsNeeded: 15, smallestTarget: 0.2, limitedBy: [0, 1] });
  expect(sentences[1]).toContain('and all items together allow targets from 20.0 % on');
  expect(sentences[2]).toContain(
    'about 15 trials of item-0 Q8_0 S512 decode (now 6) and about 9 of item-1 Q8_0 S512 decode (now 6); so about 15 of each item for the whole family',
  );
});

test('a least target is rounded up: from the printed one on it holds', () => {
  // 2 x 31.5/1000.5 = 6.2969 %, and 2 x 12.306/1000 = 2.4612 %.
  const times = [969, 1000, 1000, 1001, 1001, 1031].map((time) => time * 1000);
  expect(closeOf([{ times }, { times }]).sentences[1]).toContain('targets from 6.30 % on');
  const finer = [1000, 1000, 1000, 1000, 1000, 1012.306].map((time) => time * 1000);
  expect(closeOf([{ times: finer }, { times: finer }]).sentences[1]).toContain(
    'targets from 2.47 % on',
  );
});

test('families without an interval, and without items, cannot be judged', () => {
  const short = closeOf([{ times: [1000] }, { times: [] }]);
  expect(short.family).toMatchObject({
    state: 'not-evaluable',
    largestCv: null,
    largestEndpointDistance: null,
    largestUpperOverLower: null,
    jointCoverage: null,
    lowestInjectionRate: null,
    limitedBy: [0, 1],
  });
  expect(short.sentences).toContain(
    'No item has a simultaneous interval (n = 1: intervals of 1 item that cover at least 0.95 together need 6 trials each).',
  );
  expect(closeOf([])).toMatchObject({
    family: { state: 'not-evaluable', items: 0 },
    sentences: ['There is no item, so nothing can be explored.'],
    doesNotShow: [],
  });
});

test('a target asked for afterwards is labelled, one that was declared is not', () => {
  const given = [{ times: six(980, 1020) }];
  const asked = closeOf(given, { targetDifference: 0.03 });
  expect(asked).toMatchObject({ targetSource: 'command-line', limit: 0.015 });
  expect(asked.items[0]?.state).toBe('not-explorable');
  expect(asked.sentences.join('\n')).toContain(
    'The target of 3 % was asked for afterwards; declared before the first trial was 10 %.',
  );
  expect(asked.doesNotShow.join('\n')).toContain('can be chosen to fit it');

  const declared = closeOf(given, { targetDifference: 0.1 });
  expect(declared.targetSource).toBe('plan');
  expect(declared.doesNotShow.join('\n')).not.toContain('can be chosen to fit it');

  const nobodys = closeOf(given, { declaration: null });
  expect(nobodys).toMatchObject({ targetSource: 'default', limit: 0.05 });
  expect(nobodys.sentences.join('\n')).toContain('Nobody declared a target: 10 % is the usual one');

  const undeclared = closeOf(given, { declaration: null, targetDifference: 0.1 });
  expect(undeclared.targetSource).toBe('command-line');
  expect(undeclared.sentences.join('\n')).toContain('nobody had declared one');
});

test('the target of the campaign can be asked for anew, and its injection goes with it', async () => {
  const record = await collectCampaign(buildLedger(buildPlan(), workedTimes));
  const { closure, items } = analyzeCampaign(record, new Map(), { targetDifference: 0.004 });
  expect(closure.targetSource).toBe('command-line');
  expect(closure.items.map(({ state }) => state)).toEqual(Array(4).fill('not-explorable'));
  expect(items[3]?.injection?.map(({ change }) => change)).toEqual([0, 0.004, -0.004, 0.002]);
});

test('the conditions for diagnosis are judged one by one', () => {
  const drifting = [100, 100, 100, 100, 100, 106, 106, 106, 106, 106];
  const judged = closeOf(
    [
      { times: drifting, isReference: true },
      { times: fiveAndFive, phase: 'prefill', isReference: true },
    ],
    {
      declaration: { ...declaration, tailsAreAGoal: true },
      environmentDifferences: ['session 1: the driver is 2', 'session 2: the driver is 3'],
    },
  ).reopening;
  expect(judged).toEqual([
    {
      condition: 'reference-drift',
      met: true,
      why: 'The reference drifted by +100 % in prefill (more than 5 %) and by +6 % in decode (more than 5 %). Experiment affinity-frequency (planned; this version cannot run it) would look into it.',
      experiment: 'affinity-frequency',
    },
    {
      condition: 'environment-mismatch',
      met: true,
      why: 'The environment did not stay the same: session 1: the driver is 2 and session 2: the driver is 3. Experiment cpu-policy (planned; this version cannot run it) would look into it.',
      experiment: 'cpu-policy',
    },
    {
      condition: 'uncertainty-too-large',
      met: true,
      why: '1 of 2 items is explorable for the target; the spread of 1 is too large. Experiment natural (planned; this version cannot run it) would look into it.',
      experiment: 'natural',
    },
    {
      condition: 'tails-are-a-goal',
      met: true,
      why: 'The plan declares tails a goal. Experiment natural (planned; this version cannot run it) would look into it.',
      experiment: 'natural',
    },
  ]);
});

test('conditions that nothing is known of stay open, and those that are not met name nothing', () => {
  const open = closeOf([{ times: [100] }], { declaration: null }).reopening;
  expect(open.map(({ met, experiment }) => [met, experiment])).toEqual(Array(4).fill([null, null]));
  const noPhase = closeOf([], { phases: [] }).reopening;
  expect(noPhase[0]).toMatchObject({ condition: 'reference-drift', met: null });
  const steady = { times: Array(10).fill(100), isReference: true };
  const calm = closeOf([steady, { ...steady, phase: 'prefill' }], {
    environmentDifferences: [],
  }).reopening;
  expect(calm.map(({ met, experiment }) => [met, experiment])).toEqual(
    Array(4).fill([false, null]),
  );
});

test('nothing is ever said to be confirmed', async () => {
  const said = [
    await analyzeWorked(),
    analyzeSamples(buildMeasurements([{ times: fiveAndFive }, { times: [1] }, { times: [] }])),
    closeOf([{ times: six(900, 1100) }], { targetDifference: 0.3, declaration: null }),
    closeOf([]),
  ];
  expect(JSON.stringify(said)).not.toMatch(/confirm/i);
});

test('a difference that no item can serve is told with the worst, and never twice', () => {
  const { sentences } = closeOf([{ times: six(900, 1100) }, { times: six(940, 1060) }]);
  expect(sentences[0]).toBe(
    'Can a difference of 10 % be explored here? In none of 2 items; how far the interval reaches from the median, the worst first: item-0 Q8_0 S512 decode (10.0 %) and item-1 Q8_0 S512 decode (6.00 %).',
  );
});

test('targets of 100 % and more cannot be declared, so none is offered', () => {
  const { sentences } = closeOf([{ times: six(1000, 1600) }, { times: six(1000, 1000) }]);
  expect(sentences[1]).toContain('and all items together allow no target below 100 %.');
});

test('an item with too few trials is not one that spreads too much', () => {
  const { reopening } = closeOf([
    { times: six(900, 1100) },
    { times: [1000, 1000] },
    { times: six(1000, 1000) },
  ]);
  expect(reopening[2]?.why).toMatch(
    /^1 of 3 items is explorable for the target; the spread of 1 is too large, and 1 of 3 items has too few trials for an interval\. /,
  );
  const short = closeOf([{ times: [1000] }, { times: six(1000, 1000) }]).reopening[2];
  expect(short).toMatchObject({
    met: null,
    why: '1 of 2 items has too few trials for an interval.',
  });
});

test.each([
  [
    'that is explorable',
    six(995, 1005),
    [
      'Yes, for the only item.',
      'upper/lower is 1.010, to be held against 1.1; it is not wider than a difference of 10 %.',
      'The only item is explorable for the target.',
    ],
  ],
  [
    'that is not',
    six(900, 1000),
    [
      'No, not for the only item: its interval reaches 10.0 % from its median.',
      'The interval of the only item covers at least 96.9 %: upper/lower is 1.111, to be held against 1.1; it cannot separate a difference of 10 %.',
      'The only item is not explorable for the target; its spread is too large.',
    ],
  ],
  [
    'without an interval',
    [1000],
    [
      'The only item cannot be judged without an interval, which needs 6 valid trials.',
      'The only item has too few trials for an interval.',
    ],
  ],
])('a plan of one item %s is told of as one', (_what, times, expected) => {
  const analysis = analyzeSamples(buildMeasurements([{ times }]));
  const { closure } = analysis;
  const said = [
    ...closure.sentences,
    ...closure.doesNotShow,
    ...closure.reopening.map(({ why }) => why),
    ...aboutStatistics({ ...analysis, declaration, protocol: null }),
  ].join('\n');
  for (const words of expected) expect(said).toContain(words);
  expect(said).not.toMatch(/\b1 items|of 1 item|over 1 item|1 intervals|the worst first/);
});
