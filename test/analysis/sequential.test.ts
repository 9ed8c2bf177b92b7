import { expect, test } from 'vitest';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import { analysisSchema } from '../../src/formats/analysis.ts';
import type { ComparisonEvidence, UnchainedEntry } from '../../src/formats/ledger.ts';
import { buildPlan, buildProtocol } from '../support/ledger-builder.ts';
import { chainCampaign, measureWith } from '../support/sequential-campaign.ts';
import { stoppingRule } from '../support/sequential-plan.ts';
import { analyzeWorked } from '../support/worked-campaign.ts';

type Evidence = Omit<ComparisonEvidence, 'a' | 'b'>;

/** small F16 S128 against the reference mid Q8_0 S512, in each phase; decided in round 6 of 10. */
const plan = buildPlan({ protocol: buildProtocol({ stopping: stoppingRule }) });
const clear = await measureWith(plan, ({ sequenceLength, phase }) => {
  if (sequenceLength === 512) return 1_000_000;
  return phase === 'decode' ? 900_000 : 1_200_000;
});
const failing = await measureWith(plan, ({ sequenceLength, phase }) => {
  if (sequenceLength === 512) return 1_000_000;
  return phase === 'decode' ? null : 1_000_000;
});

async function analyze(entries: readonly UnchainedEntry[]) {
  const record = await collectCampaign(chainCampaign(plan, entries));
  const analysis = analyzeCampaign(record, new Map());
  expect(analysisSchema.parse(JSON.parse(JSON.stringify(analysis)))).toEqual(analysis);
  return analysis;
}

test('a campaign with fixed rounds has no sequential result', async () => {
  expect((await analyzeWorked()).sequential).toBeNull();
});

test('a campaign that the rule has stopped is complete, and each comparison has its decision', async () => {
  const { sequential, progress, items } = await analyze(clear);
  expect(progress).toMatchObject({ planned: 24, observed: 24, notStarted: 0, complete: true });
  expect(sequential).toMatchObject({
    rule: stoppingRule,
    family: 2,
    alphaOfEach: 0.05,
    earliestRounds: 6,
    maximumRounds: 10,
    rounds: 6,
    stopped: true,
    decided: 2,
  });
  const [prefill, decode] = sequential!.comparisons;
  expect(items[prefill!.a]).toMatchObject({ isReference: true, phase: 'prefill' });
  expect(items[decode!.b]).toMatchObject({ architecture: 'small', phase: 'decode' });
  expect(prefill).toMatchObject({
    aNs: 1_000_000,
    bNs: 1_200_000,
    pairs: 6,
    running: { lower: 1.2, upper: 1.2 },
    state: 'slower',
    decidedAfter: 6,
    reason: null,
  });
  expect(decode).toMatchObject({ bNs: 900_000, state: 'faster', decidedAfter: 6 });
});

test('its result is what the decisions in the ledger say', async () => {
  const { sequential } = await analyze(clear);
  const last = clear.filter((entry) => entry.type === 'decision').at(-1)!;
  const evidence = ({ pairs, ranks, current, running, eValue, state }: Evidence) => {
    return { pairs, ranks, current, running, eValue, state };
  };
  expect(sequential!.comparisons.map(evidence)).toEqual(last.comparisons.map(evidence));
});

test('before it stops, the maximum is planned, and what is missing has a reason', async () => {
  const begun = clear.slice(0, clear.findIndex((entry) => entry.type === 'decision') + 1 + 2);
  const { sequential, progress } = await analyze(begun); // a round, and a trial of the next
  expect(progress).toMatchObject({ planned: 40, observed: 5, complete: false });
  expect(sequential).toMatchObject({ rounds: 1, stopped: false, decided: 0 });
  expect(sequential!.comparisons[0]).toMatchObject({
    aNs: 1_000_000,
    pairs: 1,
    running: null,
    decidedAfter: null,
    reason: '1 pair of valid trials; an interval needs 6',
  });
});

test('without a finished round there is nothing yet', async () => {
  const { sequential } = await analyze([]);
  expect(sequential).toMatchObject({ rounds: 0, stopped: false, decided: 0 });
  expect(sequential!.comparisons[0]).toMatchObject({ aNs: null, bNs: null, pairs: 0 });
});

test('an item that always fails leaves its comparison open to the maximum', async () => {
  const { sequential, progress } = await analyze(failing);
  expect(progress).toMatchObject({ planned: 40, observed: 30, failed: 10, complete: true });
  expect(sequential).toMatchObject({ rounds: 10, stopped: false, decided: 0 });
  expect(sequential!.comparisons[1]).toMatchObject({
    aNs: 1_000_000,
    bNs: null,
    pairs: 0,
    state: 'open',
    reason: '0 pairs of valid trials; an interval needs 6',
  });
});

test('a campaign that leaves out what is decided is complete without those trials', async () => {
  const open = buildPlan({
    protocol: buildProtocol({ stopping: { ...stoppingRule, measured: 'open' } }),
  });
  const calls = new Map<boolean, number>();
  const entries = await measureWith(open, ({ sequenceLength, phase }) => {
    const isReference = sequenceLength === 512;
    if (phase === 'prefill') return isReference ? 1_000_000 : 1_200_000;
    const call = (calls.get(isReference) ?? 0) + 1;
    calls.set(isReference, call);
    return isReference === (call % 2 === 0) ? 1_000_000 : 1_200_000;
  });
  const analyzed = (some: readonly UnchainedEntry[]) =>
    analyzeCampaign(collectCampaign(chainCampaign(open, some)), new Map());
  const { sequential, progress } = analyzed(entries);
  expect(progress).toMatchObject({ planned: 32, observed: 32, notStarted: 0, complete: true });
  expect(sequential).toMatchObject({ rounds: 10, stopped: false, decided: 1 });
  expect(sequential!.comparisons).toMatchObject([
    { state: 'slower', pairs: 6, decidedAfter: 6 },
    { state: 'open', pairs: 10, decidedAfter: null },
  ]);
  // without the last decision, trial and intention: one of at most 32 is missing
  expect(analyzed(entries.slice(0, -4)).progress).toMatchObject({ planned: 32, complete: false });
});
