import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ComparedCampaign } from '../../src/analysis/comparability.ts';
import { compareSessions } from '../../src/analysis/compare-sessions.ts';
import { RooflawError } from '../../src/errors.ts';
import {
  type Across,
  comparisonSchema,
  type SessionsComparison,
} from '../../src/formats/comparison.ts';
import { identityOf, sha256Hex } from '../../src/hash.ts';
import { buildCompared, loadLedger, observeWorked } from '../support/compared-campaign.ts';
import { buildPlan, buildProtocol } from '../support/ledger-builder.ts';
import { workedTimes } from '../support/worked-campaign.ts';

function compare(
  campaigns: [ComparedCampaign, ...ComparedCampaign[]],
  across: readonly Across[] = [],
): SessionsComparison {
  const comparison = compareSessions(campaigns, across);
  expect(comparisonSchema.parse(JSON.parse(JSON.stringify(comparison)))).toEqual(comparison);
  return comparison;
}

const near = (value: number) => expect.closeTo(value, 12);

/** One campaign in two sessions of five rounds; the second is slower by a factor. */
const inTwoSessions = (factor: number, specimens: (string | null)[] = []) =>
  buildCompared(
    buildPlan(),
    (ledger) => {
      for (const scheduled of ledger.schedule) {
        if (scheduled.round === 5 && scheduled.position === 0) {
          ledger.startSession({ specimenSha256: specimens[1] ?? null });
        }
        const own = scheduled.round < 5 ? 1 : factor;
        ledger.observe(
          scheduled.trial,
          workedTimes(scheduled).map((ns) => Math.round(ns * own)),
        );
      }
    },
    { specimenSha256: specimens[0] ?? null },
  );

test('one campaign in two sessions: the share that was worked out apart, item by item', async () => {
  const { items, medianSessionShare, sessions, specimens, doesNotShow } = compare([
    await inTwoSessions(1.1),
  ]);
  expect(doesNotShow.join(' ')).toContain(
    'In 4 of 4 items a session has fewer than 6 valid trials',
  );
  expect(sessions).toEqual([
    { campaign: 'test-campaign', session: 0, time: expect.any(String), trials: 20, device: null },
    { campaign: 'test-campaign', session: 1, time: expect.any(String), trials: 20, device: null },
  ]);
  expect(items[3]).toEqual({
    architecture: 'mid',
    quantization: 'Q8_0',
    sequenceLength: 512,
    phase: 'decode',
    sessions: 2,
    trials: 10,
    fewestTrials: 5,
    sessionShare: near(0.7994992193987098),
    betweenSessions: near(0.08440215457544878),
    withinSessions: near(0.04226710912221837),
    isSessionNegative: false,
  });
  expect(items[0]!.sessionShare).toEqual(near(0.999161645676035));
  expect(medianSessionShare).toEqual(near(0.999161645676035)); // three of the four items are B
  expect(specimens).toBe('not-known');
});

test('sessions closer together than their trials would make them count as 0, and it is told', async () => {
  const { items, doesNotShow } = compare([await inTwoSessions(1)]);
  expect(items[0]).toMatchObject({ sessionShare: 0, betweenSessions: 0, isSessionNegative: true });
  expect(items[3]).toMatchObject({ sessionShare: near(0.0041522507964091284) });
  expect(doesNotShow.join('\n')).toContain('In 3 of 4 items the sessions lie closer together');
});

test('several campaigns of one plan are sessions of it, whatever their number of rounds', async () => {
  const shorter = buildProtocol({ processesPerItem: 5, name: 'test-5' });
  const plan = buildPlan({ name: 'short', protocol: shorter, protocolSha256: identityOf(shorter) });
  const first = await buildCompared(buildPlan(), observeWorked(1));
  const second = await buildCompared(buildPlan({ name: 'second' }), observeWorked(1.1));
  const { items, campaigns, agreement } = compare([first, second]);
  expect(items[3]!.sessionShare).toEqual(near(0.7090081249431003));
  expect(items[0]!.sessionShare).toEqual(near(0.9992413761592881));
  expect(campaigns).toEqual(['test-campaign', 'second']);
  expect(agreement).toHaveLength(1);
  const three = compare([first, second, await buildCompared(plan, observeWorked(1.2))]);
  expect(three.items[0]).toMatchObject({ sessions: 3, trials: 25 });
  expect(three.agreement.map(({ campaign }) => campaign)).toEqual(['second', 'short']);
});

test('the published campaigns: the share that was worked out apart, the device not known', async () => {
  const load = (name: string) =>
    loadLedger(fileURLToPath(new URL(`../../results/${name}/ledger.ndjson`, import.meta.url)));
  const [a, b] = [await load('h200-pilot-v1'), await load('h200-pilot-v1-b')];
  const { sessions, items, medianSessionShare, specimens } = compare([a, b], ['backend']);
  expect(sessions.map(({ trials }) => trials)).toEqual([240, 236, 4]);
  expect(medianSessionShare).toEqual(near(0.41083929401098995));
  expect(
    items.find(
      ({ architecture, quantization, phase }) =>
        architecture === 'large' && quantization === 'F16' && phase === 'prefill',
    ),
  ).toMatchObject({ sessions: 3, sessionShare: near(0.7540097664715378) });
  expect(specimens).toBe('not-known');
  expect(() => compareSessions([a, b], [])).toThrow('cannot be put beside one another');
});

const [card1, card2] = [sha256Hex('card 1'), sha256Hex('card 2')];

/** A campaign whose only session ran on this device. */
async function onDevice(specimenSha256: string, factor: number): Promise<ComparedCampaign> {
  const { analysis, origin } = await buildCompared(buildPlan(), observeWorked(factor), {
    specimenSha256,
  });
  const sessions = origin!.sessions.map((session) => ({ ...session, specimenSha256 }));
  return { analysis, origin: { ...origin!, sessions } };
}

test('the same device is told from another of its kind, by number and never by hash', async () => {
  const same = compare([await onDevice(card1, 1), await onDevice(card1, 1.1)]);
  expect(same.specimens).toBe('same');
  expect(same.sessions.map(({ device }) => device)).toEqual([1, 1]);
  expect(same.devices).toMatchObject([{ device: 1, sessions: [0, 1], items: 4 }]);
  const other = compare([await onDevice(card2, 1), await onDevice(card1, 1.1)]);
  expect(other.specimens).toBe('other');
  expect(other.sessions.map(({ device }) => device)).toEqual([1, 2]);
  expect(other.devices).toEqual([]);
  expect(other.doesNotShow.join('\n')).toContain('Session and device are mixed');
  expect(JSON.stringify(other)).not.toMatch(new RegExp(`${card1}|${card2}`));
});

test('of several devices, one with several sessions shows what is left between sessions alone', async () => {
  const { devices, medianSessionShare } = compare([
    await onDevice(card1, 1),
    await onDevice(card2, 1.5),
    await onDevice(card1, 1.002),
  ]);
  expect(devices).toEqual([
    {
      device: 1,
      sessions: [0, 2],
      items: 4,
      medianSessionShare: near(0.3238137697384979),
    },
  ]);
  expect(medianSessionShare!).toBeGreaterThan(0.99);
});

test('one known device beside an unknown one is not known', async () => {
  const [known, unknown] = [
    await onDevice(card1, 1),
    await buildCompared(buildPlan(), observeWorked(1.1)),
  ];
  expect(compare([known, unknown]).specimens).toBe('not-known');
});

test('a single session is refused, and so is a campaign beside its own copy', async () => {
  const alone = await buildCompared(buildPlan(), observeWorked(1));
  for (const [campaigns, words] of [
    [[alone], 'has trials of one session only'],
    [[alone, alone], 'are one campaign'],
  ] as const) {
    expect(() => compareSessions([...campaigns] as [ComparedCampaign], [])).toThrow(RooflawError);
    expect(() => compareSessions([...campaigns] as [ComparedCampaign], [])).toThrow(words);
  }
});

test('sessions with one trial of an item each have no share, with the reason', async () => {
  const campaign = await buildCompared(buildPlan(), (ledger) => {
    const [first, second] = [0, 1].map((round) =>
      ledger.schedule.filter((scheduled) => scheduled.round === round),
    );
    for (const scheduled of first!) ledger.observe(scheduled.trial, workedTimes(scheduled));
    ledger.startSession();
    for (const scheduled of second!) ledger.observe(scheduled.trial, workedTimes(scheduled));
  });
  const { items, medianSessionShare, missing } = compare([campaign]);
  expect(items[0]).toMatchObject({ sessions: 2, trials: 2, sessionShare: null });
  expect(medianSessionShare).toBeNull();
  expect(missing[0]).toEqual({
    field: 'items[0].sessionShare',
    reason:
      '2 valid trials in 2 sessions: two sessions with two trials each are needed, and times that differ',
  });
});
