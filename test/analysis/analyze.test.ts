import { expect, test } from 'vitest';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import { analysisSchema } from '../../src/formats/analysis.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import { identityOf } from '../../src/hash.ts';
import type { ScheduledTrial } from '../../src/protocol/schedule.ts';
import {
  buildLedger,
  buildPlan,
  buildProtocol,
  createLedger,
  deviceState,
} from '../support/ledger-builder.ts';
import { sequentialPlan } from '../support/sequential-plan.ts';
import { workedTimes } from '../support/worked-campaign.ts';

async function analyze(entries: Iterable<LedgerEntry>, frozen: [string, string][] = []) {
  const analysis = analyzeCampaign(await collectCampaign(entries), new Map(frozen));
  expect(analysisSchema.parse(JSON.parse(JSON.stringify(analysis)))).toEqual(analysis);
  return analysis;
}

test('a complete campaign gives the worked numbers, phase by phase in the order of the plan', async () => {
  const { items, progress } = await analyze(buildLedger(buildPlan(), workedTimes));
  expect(
    items.map(({ architecture, phase, isReference }) => [architecture, phase, isReference]),
  ).toEqual([
    ['small', 'prefill', false],
    ['mid', 'prefill', true],
    ['small', 'decode', false],
    ['mid', 'decode', true],
  ]);
  expect(progress).toEqual({
    planned: 40,
    observed: 40,
    failed: 0,
    interrupted: 0,
    pending: 0,
    notStarted: 0,
    complete: true,
  });
  const a = items[3]!;
  expect(a).toMatchObject({
    quantization: 'Q8_0',
    sequenceLength: 512,
    n: 10,
    failed: 0,
    representativeNs: 14_825_000,
    interval: {
      lowerNs: 14_790_000,
      upperNs: 14_860_000,
      coverage: 0.978515625,
      coverageFraction: '501/512',
      ranks: [2, 9],
    },
    stable: false,
    tail: { slowCount: 1, threshold: 1.05 },
    missing: [],
  });
  expect(a.tokensPerSecond).toBeCloseTo(64 / 0.014825, 9);
  expect(a.cv?.value).toBeCloseTo(0.0446314458, 10);
  expect(a.cv?.ddof).toBe(1);
  expect(a.relativeRange).toBeCloseTo(0.145699831, 9);
  expect(a.tail?.maxOverMedian).toBe(16.94 / 14.825);
  // Two kept repetitions 2000 ns apart: sd 1000 sqrt(2); the fastest trial varies most.
  expect(a.inTrialCvMax).toBeCloseTo((1000 * Math.SQRT2) / 14_780_000, 15);
  const b = items[0]!;
  expect(b).toMatchObject({ n: 10, representativeNs: 16_305_000, stable: true });
  expect(b.tokensPerSecond).toBeCloseTo(128 / 0.016305, 9);
});

test('what is said of each item as one of a family is worked, too', async () => {
  const { items, roundSubsets, allocation, warmup } = await analyze(
    buildLedger(buildPlan(), workedTimes),
  );
  const a = items[3]!;
  expect(a.endpointDistance).toBe(7 / 2965); // .00236087690
  expect(a.simultaneousInterval).toEqual({
    lowerNs: 14_780_000,
    upperNs: 16_940_000,
    coverage: 511 / 512,
    coverageFraction: '511/512',
    ranks: [1, 10],
    // 1 - 4/512: each of the four misses with 1/512.
    jointCoverage: 0.9921875,
    jointCoverageFraction: '127/128',
    familySize: 4,
    upperOverLower: expect.closeTo(1.14614344, 8),
  });
  expect(a.tail).toEqual({
    maxOverMedian: 16.94 / 14.825,
    slowCount: 1,
    threshold: 1.05,
    slowLowerBound: expect.closeTo(0.0025285785444617856, 12),
    slowUpperBound: expect.closeTo(0.4450161170281952, 12),
    boundedQuantile: expect.closeTo(0.7411344491069477, 12),
  });
  expect(a.injection).toEqual([
    { change: 0, rate: expect.closeTo(0.0005327861234933817, 15) },
    { change: 0.1, rate: expect.closeTo(0.7360989315, 10) },
    { change: -0.1, rate: expect.closeTo(0.7360989315, 10) },
    { change: 0.05, rate: expect.closeTo(0.7360989315, 10) },
  ]);
  expect(items[0]?.injection?.map(({ rate }) => rate)).toEqual([
    expect.closeTo(0.0005327861234933817, 15),
    1,
    1,
    1,
  ]);
  // Each item is measured once a round, so its places are in the order of the rounds.
  expect(a.trend).toEqual({
    rho: expect.closeTo(79 / 165, 12),
    pValue: expect.closeTo(12571 / 75600, 12),
    method: 'exact',
    adjustedPValue: expect.closeTo((4 * 12571) / 75600, 12),
    smallestP: 2 / 3628800,
  });
  expect(items[0]?.trend).toEqual({
    rho: expect.closeTo(1 / 11, 12),
    pValue: expect.closeTo(1471991 / 1814400, 12),
    method: 'exact',
    adjustedPValue: 1,
    smallestP: 2 / 3628800,
  });
  expect(a.twoSpeed).toMatchObject({ isTwoSpeed: false });
  // The slow trial of A is in 36 of the 120 threes of rounds; the other three items always pass.
  expect(roundSubsets).toEqual({
    state: 'evaluated',
    rounds: 10,
    size: 3,
    subsets: 120,
    isExhaustive: true,
    minimum: 3,
    maximum: 4,
    mean: 3.7,
    histogram: [0, 0, 0, 36, 84],
  });
  // A repetition of B costs its mean and 10 ns of preparation; a process 11 times the mean for
  // warm-up with 20 ns, 1500 ns of loading and 300 ns of the rest.
  expect(allocation[0]).toEqual({
    item: 0,
    repetitionCostNs: 16_305_010,
    processCostNs: 179_356_820,
    withinVariance: expect.closeTo(7.522953707222252e-9, 19),
    betweenComponent: expect.closeTo(3.4442589722899208e-6, 16),
    optimalRepetitions: expect.closeTo(0.15500464341770484, 10),
    advice: { repetitions: 2, processes: 10, costShare: 1 },
    reason: null,
  });
  expect(warmup.map(({ steadyFrom }) => steadyFrom)).toEqual([null, null, null, null]);
});

test('fewer than six trials have no interval, one has no spread, none has nothing: with reasons', async () => {
  const ledger = createLedger();
  const fives = ledger.schedule.filter(({ item }) => item.phase === 'decode').slice(0, 9);
  for (const { trial } of fives) ledger.observe(trial, [50, 40, 30, 30]);
  const one = ledger.schedule.find(
    ({ item }) => item.phase === 'prefill' && item.architecture === 'mid',
  )!;
  ledger.observe(one.trial, [50, 40, 30, 31]);
  const { items, progress, caveats } = await analyze(ledger.entries);
  const [none, single, small, mid] = items;
  expect(none).toMatchObject({ n: 0, representativeNs: null, tail: null, stable: null });
  expect(none?.missing.every(({ reason }) => reason === 'no valid trial')).toBe(true);
  expect(single).toMatchObject({ n: 1, representativeNs: 30.5, cv: null, relativeRange: null });
  const tooFew = 'n = 1: an interval that covers at least 0.95 needs 6 trials';
  const together = 'intervals of 3 items that cover at least 0.95 together need 7 trials each';
  expect(single?.missing).toEqual([
    { field: 'interval', reason: tooFew },
    { field: 'simultaneousInterval', reason: `n = 1: ${together}` },
    { field: 'endpointDistance', reason: tooFew },
    { field: 'cv', reason: 'n = 1: one trial does not vary' },
    { field: 'relativeRange', reason: 'n = 1: one trial does not vary' },
    { field: 'stable', reason: 'n = 1: one trial does not vary' },
    { field: 'injection', reason: tooFew },
    { field: 'trend', reason: 'n = 1: a rank correlation needs 4 trials' },
    { field: 'twoSpeed', reason: 'n = 1: a look for two speeds needs 6 trials' },
  ]);
  expect(small!.n + mid!.n).toBe(9);
  expect(mid).toMatchObject({ interval: null, stable: true });
  expect(progress).toMatchObject({ observed: 10, notStarted: 30, complete: false });
  expect(caveats.join('\n')).toContain('10 of 40 trials have an outcome');
});

test('one kept repetition leaves the in-trial CV and the flag open', async () => {
  const protocol = buildProtocol({ repetitions: { warmup: 1, kept: 1 } });
  const { items, allocation, roundSubsets } = await analyze(
    buildLedger(buildPlan({ protocol }), () => [9, 5]),
  );
  expect(items[0]).toMatchObject({ inTrialCvMax: null, stable: null, relativeRange: 0 });
  expect(items[0]?.missing).toEqual([
    { field: 'inTrialCvMax', reason: '1 kept repetition: one repetition does not vary' },
    { field: 'stable', reason: '1 kept repetition: one repetition does not vary' },
    { field: 'trend', reason: 'all trial means are equal' },
    { field: 'twoSpeed', reason: 'all trial means are equal' },
  ]);
  expect(allocation[0]).toMatchObject({
    withinVariance: null,
    advice: null,
    reason: '1 kept repetition in a process: two are needed',
  });
  expect(roundSubsets).toEqual({
    state: 'not-evaluable',
    reason: 'the spread inside some trials is not known',
  });
});

test('a trial with a wrong count or a zero is a failure: counted, named and paid for', async () => {
  const ledger = createLedger();
  ledger.observe(0, [50, 40, 30]);
  ledger.observe(1, [0, 40, 30, 30]);
  ledger.fail(2);
  const { items, failures, trials, cost } = await analyze(ledger.entries);
  expect(items.reduce((sum, { n }) => sum + n, 0)).toBe(0);
  expect(items.reduce((sum, { failed }) => sum + failed, 0)).toBe(3);
  expect(failures.map(({ trial, code, message }) => [trial, code, message])).toEqual([
    [0, 'wrong-repetition-count', '3 of 4 repetitions'],
    [1, 'invalid-time', 'a repetition took no positive whole number of nanoseconds'],
    [2, 'signal', 'ended by SIGSEGV'],
  ]);
  expect(trials[0]).toMatchObject({ state: 'failed', trialMeanNs: null, processNs: 1950 });
  // 1800 ns around the repetitions of the first two, 9000 ns of the third.
  expect(cost.parts.find(({ part }) => part === 'failed')?.ns).toBe(1950 + 1940 + 9000);
});

test('the parts of the cost are what they are and add up to the total', async () => {
  const ledger = createLedger();
  ledger.observe(0, [50, 40, 30, 20]);
  ledger.fail(1);
  ledger.intend(2);
  ledger.add({
    type: 'interrupted',
    trial: 2,
    attempt: 0,
    reason: 'stopped-by-user',
    costNs: 77,
  });
  ledger.intend(2, 1);
  ledger.add({
    type: 'interrupted',
    trial: 2,
    attempt: 1,
    reason: 'harness-died',
    costNs: null,
  });
  const { cost, progress, items } = await analyze(ledger.entries);
  expect(Object.fromEntries(cost.parts.map(({ part, ns }) => [part, ns]))).toEqual({
    load: 1500,
    warmup: 90,
    'warmup-preparation': 20,
    kept: 50,
    'kept-preparation': 20,
    'process-rest': 300,
    failed: 9000,
    interrupted: 77,
    'device-reads': 100,
    'idle-wait': 14,
    harness: 80,
  });
  expect(cost.totalNs).toBe(11_251);
  expect(cost.parts.reduce((sum, { ns }) => sum + ns, 0)).toBe(11_251);
  expect(cost.parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  expect(cost.attemptsOfUnknownCost).toBe(1);
  expect(progress).toMatchObject({ observed: 1, failed: 1, interrupted: 1, notStarted: 37 });
  // What was interrupted is measured again: no failure.
  expect(items.reduce((sum, { failed }) => sum + failed, 0)).toBe(1);
});

test('before the first trial every item stands there with nothing', async () => {
  const { items, warmup, allocation, closure } = await analyze(createLedger().entries);
  expect(items.map(({ n }) => n)).toEqual([0, 0, 0, 0]);
  expect(warmup.map(({ n }) => n)).toEqual([0, 0, 0, 0]);
  expect(allocation.map(({ reason }) => reason)).toEqual(Array(4).fill('no valid trial'));
  expect(closure.family.state).toBe('not-evaluable');
});

test('an in-trial CV of exactly the limit carries the flag, and one nanosecond more does not', async () => {
  const protocol = buildProtocol({ repetitions: { warmup: 0, kept: 3 } });
  const stable = async (wallNs: number[]) =>
    (await analyze(buildLedger(buildPlan({ protocol }), () => wallNs))).items[0]?.stable;
  expect(await stable([95, 100, 105])).toBe(true); // mean 100, standard deviation 5
  expect(await stable([95, 100, 106])).toBe(false);
});

test('drift of the reference is judged per phase by the rounds, not by the order of measuring', async () => {
  const drifting = ({ item, round }: ScheduledTrial) => {
    const ns = item.phase === 'decode' && round >= 5 ? 10_501 : 10_000;
    return [ns, ns, ns, ns];
  };
  const { drift } = await analyze(buildLedger(buildPlan(), drifting));
  expect(drift).toEqual([
    {
      state: 'evaluated',
      phase: 'prefill',
      rounds: 10,
      edgeRounds: 5,
      firstMedianNs: 10_000,
      lastMedianNs: 10_000,
      change: 0,
      threshold: 0.05,
      exceeded: false,
      linearDriftToReach: 0.09,
    },
    expect.objectContaining({
      phase: 'decode',
      lastMedianNs: 10_501,
      change: 0.0501,
      exceeded: true,
    }),
  ]);
});

test('with a failed reference round the drift is not evaluable', async () => {
  const ledger = createLedger();
  const failing = ledger.schedule.find(
    ({ item, round }) => item.architecture === 'mid' && item.phase === 'decode' && round === 3,
  )!.trial;
  for (const { trial } of ledger.schedule) {
    if (trial === failing) ledger.fail(trial);
    else ledger.observe(trial, [50, 40, 30, 30]);
  }
  const { drift, progress } = await analyze(ledger.entries);
  expect(drift[1]).toEqual({
    state: 'not-evaluable',
    phase: 'decode',
    rounds: 9,
    reason: 'the reference has 9 valid rounds; 10 are needed',
  });
  expect(progress.complete).toBe(true);
});

test('a reference outside the space is analysed, and marked', async () => {
  const plan = buildPlan();
  const outside = {
    ...plan,
    conditions: plan.conditions.slice(0, 1),
    reference: { ...plan.reference, partOfSpace: false },
  };
  const { items, drift } = await analyze(buildLedger(outside, workedTimes));
  expect(items.map(({ partOfSpace }) => partOfSpace)).toEqual([true, false, true, false]);
  expect(drift.map(({ state }) => state)).toEqual(['evaluated', 'evaluated']);
});

test('only the hash makes a result v1', async () => {
  const protocol = buildProtocol({ name: 'v1' });
  const entries = buildLedger(buildPlan({ protocol }), workedTimes);
  const backend =
    /on backend embedded \(llama\.cpp v0\.4\.0, commit unknown, identity [0-9a-f]{12}\)/;

  const real = await analyze(entries, [[identityOf(protocol), 'v1']]);
  expect(real.identity).toMatchObject({ isV1: true, protocol: { name: 'v1', shippedAs: 'v1' } });
  expect(real.identity.label).toMatch(backend);
  expect(real.identity.label).toMatch(/^v1 rules on .*; log output cost is included$/);
  expect(real.caveats[0]).toContain('so only the rules are the same');

  const pretended = await analyze(entries, [['0'.repeat(64), 'v1']]);
  expect(pretended.identity).toMatchObject({ isV1: false, protocol: { shippedAs: null } });
  expect(pretended.identity.label).toMatch(/^Not v1: "v1" rules on /);
  expect(pretended.caveats[0]).toContain('It calls itself v1, but its hash is another');
});

test('on the commit of v1 nothing is said about other builds', async () => {
  const protocol = buildProtocol({ name: 'v1' });
  const plan = buildPlan({ protocol });
  const first = createLedger(plan).entries[0]!;
  if (first.type !== 'campaign') throw new Error('the first entry is the campaign');
  const commit = '48e985756788b4a6c50933a88e0af1aa8412b68d';
  const backend = { ...first.backend, commit };
  const frozen: [string, string][] = [[identityOf(protocol), 'v1']];
  const { caveats } = await analyze(createLedger(plan, { backend }).entries, frozen);
  expect(caveats.join('\n')).not.toContain('only the rules are the same');
});

test('the baseline key changes with protocol, backend, models and device, and with nothing else', async () => {
  const keyOf = async (...input: Parameters<typeof createLedger>) =>
    (await analyze(createLedger(...input).entries)).identity.baselineKey;
  const plan = buildPlan();
  const first = createLedger(plan).entries[0]!;
  if (first.type !== 'campaign') throw new Error('the first entry is the campaign');
  const key = await keyOf(plan);

  const otherProtocol = buildProtocol({ tokenSeed: 2 });
  const [small, mid] = plan.models;
  const changed = [
    await keyOf(buildPlan({ protocol: otherProtocol, protocolSha256: identityOf(otherProtocol) })),
    await keyOf(plan, { backend: { ...first.backend, release: 'v0.4.1' } }),
    await keyOf(plan, { fingerprint: { ...first.fingerprint, cpuCount: 4 } }),
    await keyOf(
      buildPlan({
        models: [{ ...small!, sha256: 'f'.repeat(64) }, mid!],
        conditions: [{ modelSha256: 'f'.repeat(64), sequenceLength: 128 }],
      }),
    ),
  ];
  expect(new Set([key, ...changed]).size).toBe(5);

  const same = [
    await keyOf(buildPlan({ scheduleSeed: 8, models: [mid!, small!] })),
    await keyOf(plan, { program: { version: '9.9.9', gitCommit: null, gitDirty: null } }),
  ];
  expect(same).toEqual([key, key]);
});

test('the warm-up is each repetition over the median of its own kept ones', async () => {
  const ledger = createLedger();
  const ofSmall = ledger.schedule.filter(
    ({ item }) => item.architecture === 'small' && item.phase === 'prefill',
  );
  ledger.observe(ofSmall[0]!.trial, [180, 40, 19, 21]);
  ledger.observe(ofSmall[1]!.trial, [500, 110, 98, 102]);
  ledger.observe(ofSmall[2]!.trial, [300, 150, 50, 150]);
  const { warmup } = await analyze(ledger.entries);
  expect(warmup[0]).toEqual({
    item: 0,
    n: 3,
    median: [5, 1.5, 0.95, 1.05],
    minimum: [3, 1.1, 0.5, 1.02],
    maximum: [9, 2, 0.98, 1.5],
    steadyFrom: null,
    steadyReason: 'a process has 4 repetitions; 5 are needed',
  });
  expect(warmup[1]).toEqual({
    item: 1,
    n: 0,
    median: [],
    minimum: [],
    maximum: [],
    steadyFrom: null,
    steadyReason: 'no valid trial has its repetitions',
  });
});

test('sessions, other use and notes are told', async () => {
  const ledger = createLedger();
  ledger.observe(0, [9, 9, 5, 5], { deviceBefore: deviceState(1, 'seen') });
  ledger.observe(1, [9, 9, 5, 5], { deviceAfter: deviceState(1, 'not-visible') });
  ledger.add({ type: 'note', text: 'target changed to 5 %' });
  ledger.add({ type: 'note', author: 'rooflaw', text: 'a lock was taken over' });
  ledger.startSession({
    bootId: 'boot-b',
    differences: ['the driver is 2'],
    tornLine: { file: 'torn-1', bytes: 3, sha256: 'a'.repeat(64) },
  });
  ledger.observe(2, [9, 9, 5, 5]);
  const { sessions, boots, otherUse, notes, caveats } = await analyze(ledger.entries);
  expect(sessions).toMatchObject([
    { session: 0, trials: 2, differences: [], tornLine: false },
    { session: 1, trials: 1, differences: ['the driver is 2'], tornLine: true },
  ]);
  expect(boots).toBe(2);
  expect(otherUse).toEqual({ seen: 1, notSeen: 1, notVisible: 1 });
  expect(notes).toMatchObject([
    { afterTrials: 2, text: 'target changed to 5 %' },
    { afterTrials: 2, text: 'a lock was taken over', author: 'rooflaw' },
  ]);
  const said = caveats.join('\n');
  expect(said).toContain('It was measured in 2 sessions across 2 system starts');
  expect(said).toContain('In 1 session the environment differed');
  expect(said).toContain('seen in 1 of 3 trials');
  expect(said).toContain('1 note was written after the plan was fixed');
});

test('the flags carry what they do not mean', async () => {
  const { caveats } = await analyze(buildLedger(buildPlan(), workedTimes));
  const said = caveats.join('\n');
  expect(said).toContain('The stable flag is no test of equivalence');
  expect(said).toContain('drift threshold of 5 % is an operating rule and was not validated');
  expect(said).toContain('a steady drift must exceed about 9 %');
  expect(said).toContain('Nothing was removed');
  expect(said).toContain('Protocol test-1 is not v1.');
  expect(said).not.toContain('stopping rule');
});

test('a stopping rule is named as what decided the number of trials', async () => {
  const { caveats } = await analyze(createLedger(sequentialPlan()).entries);
  expect(caveats.join('\n')).toContain('A stopping rule decided from the data how many rounds');
});
