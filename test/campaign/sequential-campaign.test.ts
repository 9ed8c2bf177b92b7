import { expect, test } from 'vitest';
import { advanceState, type CampaignState, emptyState } from '../../src/campaign/resume.ts';
import { type CampaignPorts, runCampaign } from '../../src/campaign/run-campaign.ts';
import type { ProcessRecord } from '../../src/campaign/trial-runner.ts';
import type { LedgerEntry, UnchainedEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import type { Trial } from '../../src/formats/trial.ts';
import { planTrials } from '../../src/protocol/schedule.ts';
import { createFakeRunner, runnerLines } from '../support/fake-runner.ts';
import { sequentialPlan, sequentialProtocol } from '../support/sequential-plan.ts';

const quiet = { source: 'none', readNs: 0, readings: {}, otherUse: 'not-visible' } as const;
const isF16 = ({ modelSha256 }: Trial) => modelSha256.startsWith('b');

type Change = (trial: Trial, record: ProcessRecord) => Partial<ProcessRecord>;
const taking = (trial: Trial, ns: number) => ({ lines: runnerLines(trial, () => ns) });

/** F16 takes 10 % longer than Q8_0, in both phases. */
const clear: Change = (trial) => taking(trial, isF16(trial) ? 1_100_000 : 1_000_000);
/** All alike. */
const none: Change = (trial) => taking(trial, 1_000_000);

function portsWith(change: Change, stop = new AbortController().signal): CampaignPorts {
  return {
    runner: createFakeRunner((record, _call, trial) => change(trial, record)),
    device: { name: 'CPU', type: 'cpu' },
    readDeviceState: async () => quiet,
    waitForIdle: async () => 0,
    openModel: async (sha256) => `/models/${sha256}`,
    logPath: (trial, attempt) => `/logs/${trial}-${attempt}`,
    describeLog: async () => null,
    nowNs: () => 0n,
    stop,
  };
}

/** Runs until `limit` entries were stored, as a harness that dies then would. */
async function runFor(limit: number, plan: Plan, ports: CampaignPorts, state: CampaignState) {
  const entries: UnchainedEntry[] = [];
  for await (const entry of runCampaign(plan, state, 0, ports)) {
    entries.push(entry);
    advanceState(state, { ...entry, seq: 0, prev: '', time: '' } as LedgerEntry);
    if (entries.length === limit) break;
  }
  return entries;
}

/** The state as whoever opens the ledger again finds it. */
function reopen(plan: Plan, entries: readonly UnchainedEntry[]): CampaignState {
  const state = emptyState(plan);
  for (const entry of entries) {
    advanceState(state, { ...entry, seq: 0, prev: '', time: '' } as LedgerEntry);
  }
  return state;
}

const decisionsOf = (entries: readonly UnchainedEntry[]) =>
  entries.filter((entry) => entry.type === 'decision');
const observedIn = (entries: readonly UnchainedEntry[]) =>
  entries.flatMap((entry) => (entry.type === 'observed' ? [entry.trial] : []));

test('it stops after the round in which the last comparison is decided', async () => {
  const plan = sequentialPlan(); // two comparisons share 10 %: 2^(1-6) is the first below 5 %
  const entries = await runFor(Infinity, plan, portsWith(clear), emptyState(plan));
  const decisions = decisionsOf(entries);
  expect(decisions.map(({ round, stop }) => [round, stop])).toEqual([
    [0, false],
    [1, false],
    [2, false],
    [3, false],
    [4, false],
    [5, true],
  ]);
  expect(decisions[5]!.comparisons).toMatchObject(
    (['prefill', 'decode'] as const).map((phase) => ({
      a: { modelSha256: 'a'.repeat(64), sequenceLength: 16, phase },
      b: { modelSha256: 'b'.repeat(64), sequenceLength: 16, phase },
      pairs: 6,
      running: { lower: 1.1, upper: 1.1 },
      state: 'slower',
    })),
  );
  // a decision stands right behind the last of the four trials of its round
  expect(entries[8]).toBe(decisions[0]);
  expect(entries.slice(-2)).toEqual([decisions[5], { type: 'end', observed: 24, failed: 0 }]);
});

test('without a difference it goes on to the maximum, and all stays open', async () => {
  const plan = sequentialPlan();
  const entries = await runFor(Infinity, plan, portsWith(none), emptyState(plan));
  const decisions = decisionsOf(entries);
  expect(decisions).toHaveLength(8);
  for (const { comparisons, stop } of decisions) {
    expect(comparisons.map(({ state }) => state)).toEqual(['open', 'open']);
    expect(stop).toBe(false);
  }
  expect(entries.at(-1)).toEqual({ type: 'end', observed: 32, failed: 0 });
});

test('equal times stop it where equivalence is asked', async () => {
  const plan = sequentialPlan(sequentialProtocol({}, { equivalence: 0.02 }));
  const entries = await runFor(Infinity, plan, portsWith(none), emptyState(plan));
  expect(decisionsOf(entries).at(-1)).toMatchObject({
    round: 5,
    comparisons: [{ state: 'equivalent' }, { state: 'equivalent' }],
    stop: true,
  });
  expect(entries.at(-1)).toEqual({ type: 'end', observed: 24, failed: 0 });
});

test('an arm that always fails has no pairs, and the campaign goes on to the maximum', async () => {
  const plan = sequentialPlan();
  const failing: Change = (trial, record) =>
    isF16(trial) && trial.phase === 'decode' ? { exitStatus: 1, lines: [] } : clear(trial, record);
  const entries = await runFor(Infinity, plan, portsWith(failing), emptyState(plan));
  expect(decisionsOf(entries).at(-1)).toMatchObject({
    round: 7,
    comparisons: [
      { state: 'slower', pairs: 8 },
      { state: 'open', pairs: 0, current: null, running: null },
    ],
    stop: false,
  });
  expect(entries.at(-1)).toEqual({ type: 'end', observed: 24, failed: 8 });
});

test('wherever it dies, the resumed campaign makes the same decisions, each once', async () => {
  const plan = sequentialPlan();
  const whole = await runFor(Infinity, plan, portsWith(clear), emptyState(plan));
  for (let limit = 1; limit < whole.length; limit++) {
    const before = await runFor(limit, plan, portsWith(clear), emptyState(plan));
    const after = await runFor(Infinity, plan, portsWith(clear), reopen(plan, before));
    const both = [...before, ...after];
    expect(decisionsOf(both), `killed after entry ${limit}`).toEqual(decisionsOf(whole));
    expect(observedIn(both)).toEqual(observedIn(whole));
    expect(both.at(-1)).toEqual(whole.at(-1));
  }
});

test('a stop at Ctrl-C in the last trial of a round leaves its decision to the next session', async () => {
  const plan = sequentialPlan();
  const controller = new AbortController();
  let calls = 0;
  const stopping: Change = (trial, record) => {
    calls += 1;
    if (calls !== 4) return clear(trial, record);
    controller.abort();
    return { endedBy: 'stopped', exitStatus: null, signal: 'SIGKILL' };
  };
  const ports = portsWith(stopping, controller.signal);
  const before = await runFor(Infinity, plan, ports, emptyState(plan));
  expect(before.at(-1)).toMatchObject({ type: 'interrupted', trial: 3 });
  const after = await runFor(3, plan, portsWith(clear), reopen(plan, before));
  expect(after.map(({ type }) => type)).toEqual(['intended', 'observed', 'decision']);
});

test('the times of earlier sessions count: a change between them is seen in the evidence', async () => {
  const plan = sequentialPlan();
  const before = await runFor(27, plan, portsWith(clear), emptyState(plan)); // three rounds
  const after = await runFor(Infinity, plan, portsWith(none), reopen(plan, before));
  expect(decisionsOf(after).at(-1)).toMatchObject({
    round: 7,
    comparisons: [
      { pairs: 8, current: { lower: 1, upper: 1.1 }, state: 'open' },
      { pairs: 8, current: { lower: 1, upper: 1.1 }, state: 'open' },
    ],
  });
});

test('declared comparisons alone decide when to stop', async () => {
  const protocol = sequentialProtocol({}, { comparisons: 'declared' });
  const nameOf = (letter: string) => ({
    modelSha256: letter.repeat(64),
    sequenceLength: 16,
    phase: 'prefill' as const,
  });
  const plan = sequentialPlan(protocol, { comparisons: [{ a: nameOf('b'), b: nameOf('a') }] });
  const onlyPrefill: Change = (trial, record) =>
    trial.phase === 'prefill' ? clear(trial, record) : none(trial, record);
  const entries = await runFor(Infinity, plan, portsWith(onlyPrefill), emptyState(plan));
  expect(decisionsOf(entries)).toHaveLength(5); // one comparison has all of the 10 %
  expect(decisionsOf(entries).at(-1)).toMatchObject({
    comparisons: [{ a: nameOf('b'), b: nameOf('a'), state: 'faster' }],
    stop: true,
  });
});

test('a state that was made for nothing in particular is refused', async () => {
  const plan = sequentialPlan();
  await expect(runFor(1, plan, portsWith(clear), emptyState())).rejects.toThrow('not made for');
});

/** F16 is slower in prefill; in decode the times go up and down, so that nothing is decided. */
const onlyPrefillDiffers = (): Change => {
  const calls = new Map<string, number>();
  return (trial) => {
    const key = `${trial.phase}/${trial.modelSha256}`;
    const call = calls.get(key) ?? 0;
    calls.set(key, call + 1);
    if (trial.phase === 'prefill') return taking(trial, isF16(trial) ? 1_100_000 : 1_000_000);
    return taking(trial, isF16(trial) === (call % 2 === 0) ? 1_100_000 : 1_000_000);
  };
};
const onlyOpen = sequentialPlan(sequentialProtocol({}, { measured: 'open' }));

test('where only what is open is measured, a decided pair is left out of later rounds', async () => {
  const ports = portsWith(onlyPrefillDiffers());
  const entries = await runFor(Infinity, onlyOpen, ports, emptyState(onlyOpen));
  const intended = entries.filter((entry) => entry.type === 'intended');
  const phasesOf = (round: number) =>
    intended.filter((entry) => entry.round === round).map(({ item }) => item.phase);
  expect(phasesOf(5).toSorted()).toEqual(['decode', 'decode', 'prefill', 'prefill']);
  expect(phasesOf(6)).toEqual(['decode', 'decode']);
  expect(phasesOf(7)).toEqual(['decode', 'decode']);
  // trials keep their places in the whole schedule
  const due = planTrials(onlyOpen).filter(
    ({ round, item }) => round < 6 || item.phase === 'decode',
  );
  expect(observedIn(entries)).toEqual(due.map(({ trial }) => trial));
  expect(decisionsOf(entries).at(-1)).toMatchObject({
    round: 7,
    comparisons: [
      { state: 'slower', pairs: 6 },
      { state: 'open', pairs: 8 },
    ],
    stop: false,
  });
  expect(entries.at(-1)).toEqual({ type: 'end', observed: 28, failed: 0 });
});

test('the same trials are left out wherever it died and was resumed', async () => {
  const whole = await runFor(Infinity, onlyOpen, portsWith(none), emptyState(onlyOpen));
  const steady: Change = (trial) =>
    taking(trial, isF16(trial) && trial.phase === 'prefill' ? 1_100_000 : 1_000_000);
  const left = await runFor(Infinity, onlyOpen, portsWith(steady), emptyState(onlyOpen));
  expect(observedIn(left).length).toBe(observedIn(whole).length - 4);
  for (let limit = 1; limit < left.length; limit += 3) {
    const before = await runFor(limit, onlyOpen, portsWith(steady), emptyState(onlyOpen));
    const after = await runFor(Infinity, onlyOpen, portsWith(steady), reopen(onlyOpen, before));
    expect(observedIn([...before, ...after]), `killed after entry ${limit}`).toEqual(
      observedIn(left),
    );
  }
});
