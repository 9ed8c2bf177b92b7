import { expect, test } from 'vitest';
import { ledgerEntrySchema, type UnchainedEntry } from '../../src/formats/ledger.ts';
import { canonicalJson } from '../../src/hash.ts';
import { createStoryCheck } from '../../src/ledger/story.ts';
import { planTrials } from '../../src/protocol/schedule.ts';
import { buildPlan, buildProtocol } from '../support/ledger-builder.ts';
import { chainCampaign, measureWith } from '../support/sequential-campaign.ts';
import { stoppingRule } from '../support/sequential-plan.ts';

/** Two comparisons that share 10 %: clear ones are decided in round 6 of at most 10. */
const plan = buildPlan({ protocol: buildProtocol({ stopping: stoppingRule }) });

/** A sequential campaign as the program writes it: 24 trials, a decision after every fourth. */
const sound = await measureWith(plan, ({ sequenceLength }, call) => {
  return (sequenceLength === 512 ? 1_000_000 : 1_200_000) + 7 * call;
});

/** What the story check says of a ledger of these entries, whose chain is whole. */
function faultsOf(entries: readonly UnchainedEntry[], of = plan): string[] {
  const check = createStoryCheck();
  return chainCampaign(of, entries).flatMap((entry) =>
    check.next(ledgerEntrySchema.parse(JSON.parse(canonicalJson(entry)))),
  );
}

const isDecision = (entry: UnchainedEntry) => entry.type === 'decision';
const placeOf = (round: number) =>
  sound.findIndex((entry) => entry.type === 'decision' && entry.round === round);

/** The sound campaign with another decision in the place of a round's. */
function withDecision(
  round: number,
  change: (decision: Extract<UnchainedEntry, { type: 'decision' }>) => object,
): UnchainedEntry[] {
  return sound.map((entry) =>
    entry.type === 'decision' && entry.round === round
      ? ({ ...entry, ...change(entry) } as UnchainedEntry)
      : entry,
  );
}

test('what the program writes is sound, and it stopped in round 6', () => {
  expect(sound.filter(isDecision)).toHaveLength(6);
  expect(sound.at(-1)).toEqual({ type: 'end', observed: 24, failed: 0 });
  expect(faultsOf(sound)).toEqual([]);
});

test('wherever it is cut off, it is sound so far', () => {
  for (let length = 0; length <= sound.length; length++) {
    expect(faultsOf(sound.slice(0, length))).toEqual([]);
  }
});

test('a campaign in which trials fail now and then is sound, though what they measured is there', async () => {
  const failing = await measureWith(plan, ({ sequenceLength }, call) => {
    if (call % 7 === 6) return null;
    return (sequenceLength === 512 ? 1_000_000 : 1_200_000) + 7 * call;
  });
  const pairs = failing.flatMap((entry) =>
    entry.type === 'decision' ? [entry.comparisons.map((comparison) => comparison.pairs)] : [],
  );
  expect(Math.max(...pairs.at(-1)!)).toBeLessThan(pairs.length);
  expect(faultsOf(failing)).toEqual([]);
});

test('a removed decision is found, each of them, once', () => {
  for (let round = 0; round < 5; round++) {
    expect(faultsOf(sound.filter((_, index) => index !== placeOf(round)))).toEqual([
      `the decision about round ${round} is missing before this`,
    ]);
  }
  expect(faultsOf(sound.filter((_, index) => index !== placeOf(5)))).toEqual([
    'the decision about round 5 is missing before this', // before the end, which is right here
  ]);
});

test('a decision whose evidence was changed in the last digit is found', () => {
  const faults = faultsOf(
    withDecision(5, ({ comparisons: [first, second] }) => {
      const { lower, upper } = first!.current!;
      const current = { lower: lower + Number.EPSILON, upper };
      return { comparisons: [{ ...first!, current }, second!] };
    }),
  );
  expect(faults).toEqual(['comparison 0 is not what the trials give']);
});

test('a state and a stop that the trials do not give are found, and that it ended too early', () => {
  const early = withDecision(2, ({ comparisons }) => ({
    comparisons: comparisons.map((comparison) => ({ ...comparison, state: 'slower' })),
    stop: true,
  })).slice(0, placeOf(2) + 1);
  expect(faultsOf([...early, { type: 'end', observed: 12, failed: 0 }])).toEqual([
    'comparison 0 is not what the trials give: slower, not open',
    'comparison 1 is not what the trials give: slower, not open',
    'says to stop where the trials say to go on',
    'the end after 12 of 40 trials',
  ]);
});

test('an end before the rule or the schedule says so is found', () => {
  const early = sound.slice(0, placeOf(3) + 1);
  expect(faultsOf([...early, { type: 'end', observed: 16, failed: 0 }])).toEqual([
    'the end after 16 of 40 trials',
  ]);
});

test('a trial after the decision to stop is found', () => {
  const { trial, round, position, item, model } = planTrials(plan)[24]!;
  const place = { trial, round, position, item, modelSha256: model.sha256 };
  const more = { type: 'intended', attempt: 0, session: 0, ...place } as const;
  expect(faultsOf([...sound.slice(0, -1), more])).toEqual(['trial 24 after the decision to stop']);
});

test('a decision that says to go on where the trials say to stop is found', () => {
  expect(faultsOf(withDecision(5, () => ({ stop: false })))).toEqual([
    'says to go on where the trials say to stop',
  ]);
});

test('a decision that was not due is found: twice, too early, or without a rule', () => {
  const first = sound[placeOf(0)]!;
  const twice = [...sound.slice(0, placeOf(0) + 1), first];
  expect(faultsOf(twice)).toEqual(['a decision about round 0, which was not due']);
  expect(faultsOf([first])).toEqual(['a decision about round 0, which was not due']);
  expect(faultsOf([first], buildPlan())).toEqual([
    'a decision where the protocol has no stopping rule',
  ]);
});

test('a comparison that was left out of a decision is found', () => {
  expect(
    faultsOf(withDecision(1, ({ comparisons }) => ({ comparisons: comparisons.slice(1) }))),
  ).toEqual(['1 comparison where 2 were due']);
});

test('a trial whose time was changed no longer gives the decisions that follow', () => {
  const changed = structuredClone(sound);
  for (const entry of changed) {
    if (entry.type !== 'observed' || entry.trial !== 2) continue;
    for (const repetition of entry.repetitions) repetition.wallNs += 50_000;
  }
  const faults = faultsOf(changed);
  expect(faults.length).toBeGreaterThan(0);
  for (const fault of faults) expect(fault).toMatch(/^comparison [01] is not what the trials give/);
});

test('a session or a note between a round and its decision changes nothing', () => {
  const place = placeOf(3);
  const session: UnchainedEntry = {
    type: 'session',
    session: 1,
    bootId: null,
    differences: [],
    tornLine: null,
  };
  const note = { type: 'note', text: 'the power failed' } as const;
  const between = [...sound.slice(0, place), note, session, sound[place]!];
  expect(faultsOf(between)).toEqual([]);
});

/** Decode goes up and down; prefill is decided in round 6 and left out from then on. */
const openPlan = buildPlan({
  protocol: buildProtocol({ stopping: { ...stoppingRule, measured: 'open' } }),
});
const calls = new Map<string, number>();
const withoutPrefill = await measureWith(openPlan, ({ sequenceLength, phase }) => {
  const isReference = sequenceLength === 512;
  if (phase === 'prefill') return isReference ? 1_000_000 : 1_200_000;
  const key = String(isReference);
  calls.set(key, (calls.get(key) ?? 0) + 1);
  return isReference === (calls.get(key)! % 2 === 0) ? 1_000_000 : 1_200_000;
});

test('a campaign that leaves out what is decided is sound, and wherever it is cut off', () => {
  expect(withoutPrefill.at(-1)).toEqual({ type: 'end', observed: 6 * 4 + 4 * 2, failed: 0 });
  for (let length = 0; length <= withoutPrefill.length; length++) {
    expect(faultsOf(withoutPrefill.slice(0, length), openPlan)).toEqual([]);
  }
});

test('a trial that the rule has left out, or asked for and not got, is found', () => {
  const last = planTrials(openPlan).findLast(
    ({ round, item }) => round === 6 && item.phase === 'prefill',
  )!;
  const at = withoutPrefill.findIndex((entry) => entry.type === 'intended' && entry.round === 6);
  const intended = withoutPrefill[at]!;
  const decided = {
    ...intended,
    trial: last.trial,
    position: last.position,
    item: last.item,
    modelSha256: last.model.sha256,
  } as UnchainedEntry;
  expect(faultsOf([...withoutPrefill.slice(0, at), decided], openPlan)).toEqual([
    expect.stringMatching(
      new RegExp(`^trial ${last.trial} where trial \\d+ of the schedule was due$`),
    ),
  ]);
  const cut = [...withoutPrefill.slice(0, at), ...withoutPrefill.slice(at + 2)];
  expect(faultsOf(cut, openPlan)[0]).toMatch(/where trial \d+ of the schedule was due/);
  // the same ledger under a rule that leaves nothing out
  const all = buildPlan({ protocol: buildProtocol({ stopping: stoppingRule }) });
  expect(faultsOf(withoutPrefill, all).length).toBeGreaterThan(0);
});

test('an end before the trials that are still asked for is found', () => {
  const early = [
    ...withoutPrefill.slice(0, -4),
    { type: 'end', observed: 30, failed: 0 } as UnchainedEntry,
  ];
  expect(faultsOf(early, openPlan).some((fault) => /^the end after/.test(fault))).toBe(true);
});
