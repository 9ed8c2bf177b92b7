import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ComparedCampaign } from '../../src/analysis/comparability.ts';
import { compareCampaigns } from '../../src/analysis/compare-campaigns.ts';
import { RooflawError } from '../../src/errors.ts';
import type { TableAnalysis } from '../../src/formats/analysis.ts';
import {
  type Across,
  type CampaignsComparison,
  comparisonSchema,
} from '../../src/formats/comparison.ts';
import type { CampaignEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { isGenerated } from '../../src/formats/plan.ts';
import type { Protocol } from '../../src/formats/protocol.ts';
import { identityOf, sha256Hex } from '../../src/hash.ts';
import { formatComparison } from '../../src/report/format-comparison.ts';
import { buildCompared, loadLedger, observeWorked } from '../support/compared-campaign.ts';
import {
  buildPlan,
  buildProtocol,
  createLedger,
  type LedgerBuilder,
} from '../support/ledger-builder.ts';

function compare(
  a: ComparedCampaign,
  b: ComparedCampaign,
  across: readonly Across[] = [],
): CampaignsComparison {
  const comparison = compareCampaigns(a, b, across);
  expect(comparisonSchema.parse(JSON.parse(JSON.stringify(comparison)))).toEqual(comparison);
  return comparison;
}

/** What a refusal names, one line a fault. */
function refusal(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (!(error instanceof RooflawError)) throw error;
    expect(error.exitStatus).toBe(2);
    return [
      error.message,
      ...error.faults.map(
        ({ where, what, hint }) => `${where}: ${what}${hint === undefined ? '' : ` (${hint})`}`,
      ),
    ];
  }
  throw new Error('it was not refused');
}

function planWith(protocolChanges: Partial<Protocol>): Plan {
  const protocol = buildProtocol(protocolChanges);
  return buildPlan({ protocol, protocolSha256: identityOf(protocol) });
}

const entryOf = (plan: Plan) => createLedger(plan).entries[0] as CampaignEntry;
const stateOf = ({ agreement }: CampaignsComparison, what: string) =>
  agreement.find((row) => row.what === what);

test('the same items measured twice: each change, the median and the largest', async () => {
  const a = await buildCompared(buildPlan(), observeWorked(1));
  const b = await buildCompared(buildPlan(), observeWorked(1.02));
  const comparison = compare(a, b);
  expect(comparison.label).toBe('confounded with session: the two were not interleaved');
  expect(comparison.items.map(({ architecture, phase }) => [architecture, phase])).toEqual([
    ['small', 'prefill'],
    ['mid', 'prefill'],
    ['small', 'decode'],
    ['mid', 'decode'],
  ]);
  expect(comparison.items[3]).toMatchObject({
    a: { n: 10, representativeNs: 14_825_000, stable: false },
    b: { n: 10, representativeNs: 15_121_500, stable: false },
    change: expect.closeTo(0.02, 12),
  });
  expect(comparison.change).toMatchObject({
    items: 4,
    medianAbsolute: expect.closeTo(0.02, 12),
    maximumAbsolute: expect.closeTo(0.02, 12),
    slower: 4,
    faster: 0,
  });
  expect(comparison.stable).toEqual({
    items: 4,
    a: 3,
    b: 3,
    unknownA: 0,
    unknownB: 0,
    subsets: null,
  });
  expect(comparison.missing).toEqual([
    { field: 'stable.subsets', reason: 'both have 10 complete rounds' },
  ]);
  expect(comparison.agreement.map(({ what, state }) => [what, state])).toEqual([
    ['protocol', 'same'],
    ['runner', 'same'],
    ['libraries', 'same'],
    ['device', 'same'],
    ['specimen', 'not-known'],
    ['environment', 'same'],
    ['schedule', 'same'],
    ['rooflaw', 'same'],
    ['models', 'same'],
  ]);
});

const files = (name: string) =>
  fileURLToPath(new URL(`../../results/${name}/ledger.ndjson`, import.meta.url));
const published = (name: string) => loadLedger(files(name));

test('the two published campaigns: another runner must be declared, and the changes are those worked out apart', async () => {
  const [a, b] = [await published('h200-pilot-v1'), await published('h200-pilot-v1-b')];
  expect(refusal(() => compareCampaigns(a, b, []))).toEqual([
    'h200-pilot-v1 and h200-pilot-v1-b cannot be put beside one another',
    'runner: the runner is another program: compiled from other sources (--across backend, if this difference is the question)',
  ]);
  expect(refusal(() => compareCampaigns(a, b, ['device', 'protocol']))).toHaveLength(2);
  const comparison = compare(a, b, ['backend']);
  const { change, items, stable, agreement, doesNotShow, disturbances } = comparison;
  expect(items).toHaveLength(24);
  expect(change).toMatchObject({
    items: 24,
    medianAbsolute: expect.closeTo(0.04235463818579743, 14),
    maximumAbsolute: expect.closeTo(0.24379867456136428, 14),
    median: expect.closeTo(0.04235463818579743, 14),
    slower: 24,
    faster: 0,
  });
  expect(items[change!.largest]).toMatchObject({
    architecture: 'small',
    quantization: 'F16',
    phase: 'prefill',
  });
  expect([stable.a, stable.b, stable.items]).toEqual([9, 0, 24]);
  expect(agreement.filter(({ state }) => state === 'different').map(({ what }) => what)).toEqual([
    'runner',
  ]);
  expect(doesNotShow.join(' ')).toContain(
    'The difference in the runner (all libraries are the same) is declared to be the question.',
  );
  expect(disturbances[1]!.drift).toMatchObject([
    { phase: 'prefill', state: 'marked', change: expect.closeTo(0.19, 3), threshold: 0.05 },
    { phase: 'decode', state: 'not-marked' },
  ]);
});

/** The first `rounds` rounds of a protocol that asks for no more. */
const roundsOnly = (rounds: number, name = `only-${rounds}`) =>
  planWith({
    name,
    description: `Measures ${rounds} rounds.`,
    processesPerItem: rounds,
    flags: {
      stable: { maxRelativeRange: 0.05, maxInTrialCv: 0.05 },
      drift: {
        minRounds: Math.min(10, rounds),
        edgeRounds: Math.min(5, Math.floor(rounds / 2)),
        above: 0.05,
      },
    },
  });

test('campaigns that differ in their number of rounds only: the stable count at equal numbers', async () => {
  const short = await buildCompared(roundsOnly(3), observeWorked(1.001));
  const long = await buildCompared(buildPlan(), observeWorked(1));
  const comparison = compare(short, long);
  expect(stateOf(comparison, 'protocol')).toEqual({
    what: 'protocol',
    state: 'same',
    details: ['the same but for 3 and 10 rounds'],
  });
  // The slow trial of mid decode stands in round 8: C(9,2) = 36 of the 120 sets of three have it.
  expect(comparison.stable).toEqual({
    items: 4,
    a: 4,
    b: 3,
    unknownA: 0,
    unknownB: 0,
    subsets: {
      of: 'b',
      rounds: 10,
      size: 3,
      subsets: 120,
      isExhaustive: true,
      minimum: 3,
      maximum: 4,
      mean: (36 * 3 + 84 * 4) / 120,
      histogram: [0, 0, 0, 36, 84],
      other: 4,
      holdsOther: true,
    },
  });
  expect(comparison.doesNotShow.join('\n')).toContain(
    'Fewer stable items alone do not mean a worse environment',
  );
  const turned = compare(long, short);
  expect(turned.stable.subsets).toEqual({ ...comparison.stable.subsets, of: 'a' });
});

test('the shorter campaign is judged by its complete rounds, as the subsets of the longer are', async () => {
  // A has 10 rounds; B has 8 and a ninth that lacks one item and holds a slow trial of another.
  const long = await buildCompared(buildPlan(), (ledger) => {
    for (const { trial } of ledger.schedule) ledger.observe(trial, [1000, 1000, 1000, 1000]);
  });
  const short = await buildCompared(buildPlan(), (ledger) => {
    for (const { trial, round, item } of ledger.schedule) {
      const isMid = item.architecture === 'mid' && item.phase === 'decode';
      if (round > 8 || (round === 8 && item.architecture === 'small')) continue;
      const ns = round === 8 && isMid ? 3001 : 1001;
      ledger.observe(trial, [ns, ns, ns, ns]);
    }
  });
  const { stable, a, b, doesNotShow } = compare(long, short);
  expect([a.completeRounds, b.completeRounds]).toEqual([10, 8]);
  expect([stable.a, stable.b]).toEqual([4, 3]);
  expect(stable.subsets).toMatchObject({ of: 'a', size: 8, minimum: 4, maximum: 4 });
  expect(stable.subsets).toMatchObject({ other: 4, holdsOther: true });
  expect(doesNotShow.join(' ')).toContain('Fewer stable items alone');
  const words = formatComparison(compare(long, short), { colour: false, width: 400 });
  expect(words).toContain(
    'would have had 4 stable items (all 45 choices, which share samples); the 4 of B in its complete rounds lie in this range.',
  );
});

test('with equal numbers of rounds nothing is said of unequal ones', async () => {
  const one = await buildCompared(buildPlan(), observeWorked(1));
  const two = await buildCompared(buildPlan(), observeWorked(1.1));
  const comparison = compare(one, two);
  expect(comparison.doesNotShow.join(' ')).not.toContain('Fewer stable items');
  const words = formatComparison(comparison, { colour: false, width: 400 });
  expect(words).not.toMatch(/Fewer stable items|bring to equal numbers/);
});

test('a program that may have been edited is a note, another commit is a difference', async () => {
  const program = { version: '0.1.0', gitCommit: 'a'.repeat(40), gitDirty: false };
  const loaded = (factor: number, changes: Partial<typeof program>) =>
    buildCompared(buildPlan(), observeWorked(factor), { program: { ...program, ...changes } });
  const clean = await loaded(1, {});
  expect(stateOf(compare(clean, await loaded(1.1, { gitDirty: true })), 'rooflaw')).toEqual({
    what: 'rooflaw',
    state: 'not-known',
    details: ['gitDirty is false in A and true in B: its sources may have been edited'],
  });
  const other = { gitCommit: 'b'.repeat(40), gitDirty: true };
  expect(stateOf(compare(clean, await loaded(1.1, other)), 'rooflaw')!.state).toBe('different');
});

test('a trial that varies too much inside breaks the subsets that hold it, and no others', async () => {
  const unsteadyInRound = (round: number, base: number) => (ledger: LedgerBuilder) => {
    for (const scheduled of ledger.schedule) {
      const [ns, apart] = [base + scheduled.trial, scheduled.round === round ? 60_000 : 0];
      ledger.observe(scheduled.trial, [ns, ns, ns - apart, ns + apart]);
    }
  };
  const short = await buildCompared(roundsOnly(3), unsteadyInRound(99, 1_100_000));
  const long = await buildCompared(buildPlan(), unsteadyInRound(4, 1_000_000));
  // sd of the two kept is 60,000 sqrt(2), a CV of 8.5 %; the mean does not move.
  const { stable } = compare(short, long);
  expect(stable).toMatchObject({ a: 4, b: 0 });
  expect(stable.subsets).toMatchObject({ histogram: [36, 0, 0, 0, 84], holdsOther: true });
  const unsteady = await buildCompared(buildPlan(), (ledger) => {
    for (const { trial } of ledger.schedule) {
      ledger.observe(trial, [9, 9, 1_000_000 + trial - 60_000, 1_000_000 + trial + 60_000]);
    }
  });
  expect(compare(short, unsteady).stable.subsets).toMatchObject({
    minimum: 0,
    maximum: 0,
    holdsOther: false, // the shorter one has 4, above all of them
  });
});

test('a first campaign that the subsets of the second do not reach is said to lie outside', async () => {
  const slowInRound = (round: number) => (ledger: LedgerBuilder) => {
    for (const scheduled of ledger.schedule) {
      const ns = (scheduled.round === round ? 1.2 : 1) * 1_000_000 + scheduled.trial;
      ledger.observe(scheduled.trial, [ns, ns, ns, ns]);
    }
  };
  const short = await buildCompared(roundsOnly(3), slowInRound(1));
  const long = await buildCompared(buildPlan(), slowInRound(99));
  const { stable } = compare(short, long);
  expect(stable).toMatchObject({
    a: 0,
    b: 4,
    subsets: { minimum: 4, maximum: 4, holdsOther: false },
  });
});

test('rounds that lack a trial of any item do not count as complete', async () => {
  const a = await buildCompared(roundsOnly(3), observeWorked(1.001));
  const b = await buildCompared(buildPlan(), (ledger) => {
    for (const { trial, round } of ledger.schedule) {
      if (round === 4 && trial % 4 === 0) ledger.fail(trial);
      else ledger.observe(trial, [9, 9, 1_000_000 + trial, 1_000_000 + trial]);
    }
  });
  const { b: described, stable } = compare(a, b);
  expect(described.completeRounds).toBe(9);
  expect(stable.subsets).toMatchObject({ rounds: 9, size: 3, subsets: 84 });
});

test('every difference that is not declared is refused by its name, each with its declaration', async () => {
  const plan = buildPlan();
  const a = await buildCompared(plan, observeWorked(1));
  const entry = entryOf(plan);
  const { execution } = buildProtocol();
  const otherRules = planWith({ execution: { ...execution, threads: 1, logSink: 'off' } });
  const b = await buildCompared(otherRules, observeWorked(1.1), {
    fingerprint: { ...entry.fingerprint, driver: '580', cpuCount: 4, kernel: '6.2' },
    backend: {
      ...entry.backend,
      runner: { ...entry.backend.runner, sha256: sha256Hex('another runner') },
      libraries: [
        { name: 'libggml.so', bytes: 100, sha256: sha256Hex('another') },
        { name: 'libllama.so', bytes: 1, sha256: sha256Hex('new') },
      ],
    },
  });
  const all = [
    'test-campaign and test-campaign cannot be put beside one another',
    'protocol: execution.threads is 2 in A and 1 in B',
    'protocol: execution.logSink is "file" in A and "off" in B (--across protocol, if this difference is the question)',
    'runner: the runner is another program: the same sources, compiled anew (--across backend, if this difference is the question)',
    'libraries: libggml.so: another file',
    'libraries: libllama.so: A lacks it (--across backend, if this difference is the question)',
    'device: driver is null in A and 580 in B',
    'device: cpuCount is 2 in A and 4 in B (--across device, if this difference is the question)',
  ];
  expect(refusal(() => compareCampaigns(a, b, []))).toEqual(all);
  const without = (...what: string[]) =>
    all.filter((line) => !what.some((word) => line.startsWith(`${word}:`)));
  expect(refusal(() => compareCampaigns(a, b, ['device']))).toEqual(without('device'));
  expect(refusal(() => compareCampaigns(a, b, ['backend']))).toEqual(
    without('runner', 'libraries'),
  );
  expect(refusal(() => compareCampaigns(a, b, ['protocol', 'device']))).toEqual(
    without('protocol', 'device'),
  );
  const { agreement, doesNotShow } = compare(a, b, ['device', 'backend', 'protocol']);
  expect(agreement.find(({ what }) => what === 'environment')).toEqual({
    what: 'environment',
    state: 'different',
    details: ['kernel is 6.1.0 in A and 6.2 in B'],
  });
  expect(doesNotShow.join('\n')).toContain(
    'The difference in device and backend and protocol is declared to be the question.',
  );
});

test('a declared difference that is not there is told', async () => {
  const a = await buildCompared(buildPlan(), observeWorked(1));
  const b = await buildCompared(buildPlan(), observeWorked(1.1));
  expect(compare(a, b, ['protocol']).doesNotShow).toContain(
    'Declared, but not seen: a difference in protocol.',
  );
});

test('a campaign beside itself, or beside a copy that was cut, is refused', async () => {
  const a = await buildCompared(buildPlan(), observeWorked(1));
  const cut = await buildCompared(buildPlan({ name: 'copy' }), (ledger) => {
    observeWorked(1)({ ...ledger, schedule: ledger.schedule.slice(0, 7) });
  });
  expect(refusal(() => compareCampaigns(a, a, []))[0]).toContain('are one campaign');
  expect(refusal(() => compareCampaigns(a, cut, []))[0]).toContain(
    'all 7 trials that both have are equal',
  );
});

test('items of one campaign only, and models of another file, are left out and told', async () => {
  const plan = buildPlan();
  const [small, mid] = plan.models;
  const a = await buildCompared(plan, observeWorked(1));
  const otherFile = { ...small!, sha256: sha256Hex('another small') };
  const longer = { modelSha256: mid!.sha256, sequenceLength: 1024 };
  const b = await buildCompared(
    buildPlan({
      models: [otherFile, mid!],
      conditions: [
        { modelSha256: otherFile.sha256, sequenceLength: 128 },
        plan.conditions[1]!,
        longer,
      ],
    }),
    observeWorked(1.1),
  );
  const { items, unmatched, agreement } = compare(a, b);
  expect(items.map(({ architecture }) => architecture)).toEqual(['mid', 'mid']);
  expect(unmatched.a.map(({ architecture }) => architecture)).toEqual(['small', 'small']);
  expect(unmatched.b.map(({ sequenceLength }) => sequenceLength)).toEqual([128, 1024, 128, 1024]);
  expect(agreement.find(({ what }) => what === 'models')).toEqual({
    what: 'models',
    state: 'different',
    details: [
      'small F16 S128 prefill: another model file',
      'small F16 S128 decode: another model file',
    ],
  });
});

test('campaigns that share no item are refused with what each has', async () => {
  const plan = buildPlan();
  const renamed = plan.models.filter(isGenerated).map((model) => ({
    ...model,
    architecture: { ...model.architecture, name: `other-${model.architecture.name}` },
  }));
  const a = await buildCompared(plan, observeWorked(1));
  const b = await buildCompared(buildPlan({ models: renamed }), observeWorked(1));
  const [message, ...faults] = refusal(() => compareCampaigns(a, b, []));
  expect(message).toBe('no item was measured in both campaigns');
  expect(faults[1]).toContain('other-small F16 S128 prefill; other-mid Q8_0 S512 prefill');
});

test('an item without a valid trial has no change, and all without leave it open', async () => {
  const a = await buildCompared(buildPlan(), observeWorked(1));
  const b = await buildCompared(buildPlan(), (ledger) => {
    for (const { trial } of ledger.schedule) ledger.fail(trial);
  });
  const { items, change, missing, stable } = compare(a, b);
  expect(items.every((item) => item.change === null && item.b.representativeNs === null)).toBe(
    true,
  );
  expect(change).toBeNull();
  expect(stable).toMatchObject({ a: 3, b: 0, unknownB: 4 });
  expect(missing).toEqual([
    {
      field: 'stable.subsets',
      reason: 'the shorter campaign has 0 complete rounds; 2 are needed',
    },
    { field: 'change', reason: 'no item has a time in both campaigns' },
  ]);
});

const asTable = (
  { analysis }: ComparedCampaign,
  changes: Partial<TableAnalysis>,
): ComparedCampaign => {
  const { name, progress, rules, items, drift, roundSubsets, orderEffect, closure, trials } =
    analysis;
  const samples = {
    name,
    progress,
    rules,
    items,
    drift,
    roundSubsets,
    orderEffect,
    closure,
    trials,
  };
  return {
    analysis: {
      format: 'rooflaw-analysis',
      formatVersion: 1,
      ...samples,
      warmup: [],
      allocation: [],
      caveats: [],
      evidence: 'trial-table',
      protocolName: 'test-1',
      device: 'Test CPU 3000',
      declaration: null,
      protocol: null,
      sequential: null,
      absent: [],
      ...changes,
    },
    origin: null,
  };
};

test('a public table says less: what it does not name is not known, what differs by name is refused', async () => {
  const a = await buildCompared(buildPlan(), observeWorked(1));
  const b = await buildCompared(buildPlan(), observeWorked(1.1));
  const { agreement, doesNotShow, disturbances } = compare(a, asTable(b, {}));
  expect(disturbances).toMatchObject([
    { otherUse: { seen: 0 }, environment: [] },
    { otherUse: null, environment: null },
  ]);
  expect(agreement.every(({ state }) => state === 'not-known')).toBe(true);
  expect(doesNotShow.join('\n')).toContain('No ledger vouches for a public table');
  expect(
    refusal(() => compareCampaigns(a, asTable(b, { protocolName: 'v1', device: 'X' }), [])),
  ).toEqual([
    'test-campaign and test-campaign cannot be put beside one another',
    'protocol: test-1 and v1, of which one is known by its name only (--across protocol, if this difference is the question)',
    'device: Test CPU 3000 in A and X in B (--across device, if this difference is the question)',
  ]);
});

test('subsets of a table are counted by the decimals it holds', async () => {
  const short = await buildCompared(roundsOnly(3), observeWorked(1.001));
  const long = await buildCompared(buildPlan(), observeWorked(1));
  const { stable } = compare(short, asTable(long, { protocolName: 'only-3' }));
  expect(stable.subsets).toMatchObject({ histogram: [0, 0, 0, 36, 84], holdsOther: true });
});

test('the very device is told apart only when both ledgers know it', async () => {
  const measured = async (specimenSha256: string | null | undefined, factor: number) =>
    buildCompared(
      buildPlan(),
      (ledger) => {
        ledger.startSession(specimenSha256 === undefined ? {} : { specimenSha256 });
        observeWorked(factor)(ledger);
      },
      specimenSha256 === undefined ? {} : { specimenSha256 },
    );
  // createLedger starts a session before `fill`: without a specimen it is one of an older ledger.
  const older = await measured(undefined, 1);
  const known = await measured(sha256Hex('card 1'), 1.1);
  expect(stateOf(compare(older, known), 'specimen')?.state).toBe('not-known');
  const sessionsOf = (campaign: ComparedCampaign): ComparedCampaign => ({
    ...campaign,
    origin: { ...campaign.origin!, sessions: campaign.origin!.sessions.slice(1) },
  });
  const [one, again, other] = [
    sessionsOf(known),
    sessionsOf(await measured(sha256Hex('card 1'), 1.2)),
    sessionsOf(await measured(sha256Hex('card 2'), 1.3)),
  ];
  expect(stateOf(compare(one, again), 'specimen')?.state).toBe('same');
  expect(stateOf(compare(one, other), 'specimen')).toEqual({
    what: 'specimen',
    state: 'different',
    details: ['another device of the same kind'],
  });
  expect(JSON.stringify(compare(one, other))).not.toContain(sha256Hex('card 1'));
  const both: ComparedCampaign = {
    ...other,
    origin: {
      ...other.origin!,
      sessions: [...other.origin!.sessions, ...one.origin!.sessions],
    },
  };
  expect(stateOf(compare(one, both), 'specimen')?.details).toEqual([
    '2 devices of the same kind, of which some served in both',
  ]);
});
