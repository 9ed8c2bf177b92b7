import { expect, test } from 'vitest';
import { collectCampaign } from '../../src/analysis/collect.ts';
import { RooflawError } from '../../src/errors.ts';
import { ledgerEntrySchema } from '../../src/formats/ledger.ts';
import { createStoryCheck } from '../../src/ledger/story.ts';
import { buildLedger, buildPlan, createLedger, deviceState } from '../support/ledger-builder.ts';

function faultsOf(entries: Parameters<typeof collectCampaign>[0]) {
  try {
    collectCampaign(entries);
  } catch (error) {
    if (!(error instanceof RooflawError)) throw error;
    expect(error.code).toBe('ledger-broken');
    return error.faults.map(({ where, what }) => `${where}: ${what}`);
  }
  throw new Error('nothing was thrown');
}

test('the ledgers of these tests are valid', () => {
  const check = createStoryCheck();
  for (const entry of buildLedger(buildPlan(), () => [40, 30, 20, 20])) {
    expect(ledgerEntrySchema.parse(entry)).toEqual(entry);
    expect(check.next(entry)).toEqual([]);
  }
});

test('a trial keeps its place, its raw repetitions and the times around them', () => {
  const ledger = createLedger();
  ledger.observe(0, [40, 30, 21, 22], { deviceAfter: deviceState(30, 'seen') });
  const { trials } = collectCampaign(ledger.entries);
  const { round, position, item, model } = ledger.schedule[0]!;
  expect(trials).toEqual([
    {
      trial: 0,
      item,
      modelSha256: model.sha256,
      round,
      position,
      session: 0,
      attempts: 1,
      interruptedNs: [],
      outcome: {
        state: 'observed',
        measured: {
          loadNs: 1500,
          wallNs: [40, 30, 21, 22],
          prepareNs: [10, 10, 10, 10],
          processNs: 1953,
          harnessNs: 40,
          deviceReadNs: 50,
          idleWaitNs: 7,
          otherUse: 'seen',
        },
      },
    },
  ]);
});

test('an interrupted trial that was measured again counts once, with both attempts', () => {
  const ledger = createLedger();
  ledger.intend(0);
  ledger.add({
    type: 'interrupted',
    trial: 0,
    attempt: 0,
    reason: 'stopped-by-user',
    costNs: 77,
  });
  ledger.startSession({ differences: ['the kernel is 6.2.0'] });
  ledger.observe(0, [40, 30, 21, 22], { attempt: 1 });
  const { trials, sessions } = collectCampaign(ledger.entries);
  expect(trials).toHaveLength(1);
  expect(trials[0]).toMatchObject({ attempts: 2, session: 1, interruptedNs: [77] });
  expect(trials[0]?.outcome.state).toBe('observed');
  expect(sessions.map(({ differences }) => differences)).toEqual([[], ['the kernel is 6.2.0']]);
});

test('a trial that was begun and never concluded is pending, and notes know their place', () => {
  const ledger = createLedger();
  ledger.fail(0);
  ledger.add({ type: 'note', text: 'the fan stopped' });
  ledger.intend(1);
  const { trials, notes } = collectCampaign(ledger.entries);
  expect(trials.map(({ outcome }) => outcome.state)).toEqual(['failed', 'pending']);
  expect(notes).toEqual([
    { time: '2026-01-01T00:00:04.000Z', text: 'the fan stopped', afterTrials: 1 },
  ]);
});

test('every contradiction is named at once', () => {
  const ledger = createLedger();
  ledger.observe(0, [40, 30, 21, 22]);
  ledger.observe(0, [40, 30, 21, 22], { attempt: 1 });
  ledger.intend(1, 3);
  ledger.add(ledger.entries[0]!);
  const foreign = ledger.schedule[2]!.item;
  ledger.add({
    type: 'intended',
    trial: 2,
    attempt: 0,
    session: 0,
    round: 0,
    position: 0,
    item: { ...foreign, sequenceLength: 4096 },
    modelSha256: ledger.schedule[2]!.model.sha256,
  });
  const { architecture, quantization, phase } = foreign;
  expect(faultsOf(ledger.entries)).toEqual([
    'entry 4: trial 0 is begun again although it is observed',
    'entry 5: trial 0, attempt 1 is observed but was not begun',
    'entry 6: trial 1: attempt 3 where 0 was due',
    'entry 7: a second campaign entry',
    `entry 8: ${architecture} ${quantization} S4096 ${phase} is not in the plan`,
  ]);
});

test('a ledger without a campaign entry is refused', () => {
  expect(faultsOf(createLedger().entries.slice(1))).toEqual([]);
  expect(faultsOf([])).toEqual([]);
});
