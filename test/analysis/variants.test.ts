import { expect, test } from 'vitest';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import { compareCampaigns } from '../../src/analysis/compare-campaigns.ts';
import { RooflawError } from '../../src/errors.ts';
import { type Analysis, analysisSchema } from '../../src/formats/analysis.ts';
import type { CampaignEntry } from '../../src/formats/ledger.ts';
import type { Plan, Variant } from '../../src/formats/plan.ts';
import { identityOf } from '../../src/hash.ts';
import { buildCompared, loadLedger } from '../support/compared-campaign.ts';
import { buildPlan, buildProtocol, createLedger } from '../support/ledger-builder.ts';
import { benchExecution, benchPlan, fileModel, variant } from '../support/variant-plan.ts';

const backendOf = (plan: Plan) => (createLedger(plan).entries[0] as CampaignEntry).backend;
const { name: _name, ...build } = backendOf(buildPlan());
const otherBackend = {
  ...backendOf(buildPlan()),
  name: 'build',
  release: 'v0.5.0',
  commit: 'abc1234',
  runner: { name: 'runner', bytes: 200, sha256: '6'.repeat(64) },
};

async function analyze(
  plan: Plan,
  changes: Partial<CampaignEntry> = {},
  frozen: [string, string][] = [],
): Promise<Analysis> {
  const { entries } = createLedger(plan, changes);
  const analysis = analyzeCampaign(await collectCampaign(entries), new Map(frozen));
  expect(analysisSchema.parse(JSON.parse(JSON.stringify(analysis)))).toEqual(analysis);
  return analysis;
}

const two = [variant('t1', { threads: 1, threadsBatch: 1 }, 'old'), variant('t2', {}, 'new')];
const described = { otherBackends: [{ label: 'new', backend: otherBackend }] };

test('a variant is told by its name, its backend, what it changes and the hash of both', async () => {
  const { identity } = await analyze(benchPlan(two), described);
  const { name: _other, ...otherBuild } = otherBackend;
  expect(identity.variants).toEqual([
    {
      name: 't1',
      backend: 'old',
      sha256: identityOf({
        execution: { ...benchExecution, threads: 1, threadsBatch: 1 },
        backend: build,
      }),
      changes: {},
    },
    {
      name: 't2',
      backend: 'new',
      sha256: identityOf({ execution: benchExecution, backend: otherBuild }),
      changes: { threads: 2, threadsBatch: 2 },
    },
  ]);
  expect(identity.backend).toMatchObject({ name: 'embedded', release: 'v0.4.0' });
  expect(identity.otherBackends).toEqual([
    {
      label: 'new',
      backend: {
        name: 'build',
        release: 'v0.5.0',
        commit: 'abc1234',
        sourceTreeHash: null,
        sha256: identityOf(otherBuild),
        runnerSha256: '6'.repeat(64),
        libraryCount: 1,
        patchCount: 0,
        compiler: otherBackend.description.compiler,
      },
    },
  ]);
});

test('the label names every backend and the number of variants', async () => {
  const { identity } = await analyze(benchPlan(two), described);
  expect(identity.label).toMatch(
    /^Not v1: "bench" rules on 2 backends: old \(llama\.cpp v0\.4\.0, commit unknown, identity [0-9a-f]{12}\), new \(llama\.cpp v0\.5\.0, commit abc1234, identity [0-9a-f]{12}\); 2 variants; log output cost is included$/,
  );
  const silent = await analyze(benchPlan([variant('a'), variant('b', { logSink: 'off' })]));
  expect(silent.identity.label).toMatch(
    /on backend embedded \(.*\); 2 variants; the log differs between variants: log output cost is included, or the log is off, so its cost is not included$/,
  );
});

test('the baseline key covers variants and every backend, whatever they are called elsewhere', async () => {
  const keyOf = async (plan: Plan, changes: Partial<CampaignEntry> = described) =>
    (await analyze(plan, changes)).identity.baselineKey;
  const key = await keyOf(benchPlan(two));
  const moved = { otherBackends: [{ label: 'new', backend: { ...otherBackend, name: 'else' } }] };
  expect(await keyOf(benchPlan(two), moved)).toBe(key);
  expect(await keyOf(benchPlan(two, { changes: { scheduleSeed: 9 } }))).toBe(key);

  const rebuilt = { ...otherBackend, runnerSourceSha256: '7'.repeat(64) };
  const [t1, t2] = two as [Variant, Variant];
  const others = [
    await keyOf(benchPlan(two), { otherBackends: [{ label: 'new', backend: rebuilt }] }),
    await keyOf(benchPlan([t1, { ...t2, execution: { ...t2.execution, flashAttention: 'on' } }])),
    await keyOf(benchPlan([t1, { ...t2, name: 't3' }])),
    await keyOf(benchPlan([t1, { ...t2, backend: 'old' }]), {}),
    await keyOf(benchPlan(null), {}),
  ];
  expect(new Set([key, ...others]).size).toBe(6);
});

test('a recorded campaign without variants keeps its key and names no variants', async () => {
  const { analysis } = await loadLedger('results/h200-pilot-v1/ledger.ndjson');
  if (analysis.evidence !== 'ledger') throw new Error('it is a ledger');
  expect(analysis.identity.baselineKey).toBe(
    '0de84e0800f57967f5d8e2feea846354f16f89ddfb1b379bd8a09a2bbc20007f',
  );
  expect('variants' in analysis.identity).toBe(false);
  expect('otherBackends' in analysis.identity).toBe(false);
});

test('v1 is v1 only where nothing is measured otherwise than it says', async () => {
  const protocol = buildProtocol({ name: 'v1' });
  const frozen: [string, string][] = [[identityOf(protocol), 'v1']];
  const planWith = (changes: Partial<Plan>) =>
    buildPlan({ protocol, protocolSha256: identityOf(protocol), ...changes });
  const under = (name: string) =>
    buildPlan().conditions.map((condition) => ({ ...condition, variant: name }));
  const reference = { ...buildPlan().reference, variant: 'a' };

  const same = planWith({ variants: [variant('a')], conditions: under('a'), reference });
  expect((await analyze(same, {}, frozen)).identity.isV1).toBe(true);

  const changed = [
    planWith({ variants: [variant('a', { threads: 1 })], conditions: under('a'), reference }),
    planWith({
      conditions: buildPlan().conditions.map((one) => ({
        ...one,
        phase: 'decode',
        decodeSteps: 3,
      })),
    }),
  ];
  for (const plan of changed) {
    const { identity, caveats } = await analyze(plan, {}, frozen);
    expect(identity).toMatchObject({ isV1: false, protocol: { shippedAs: 'v1' } });
    expect(identity.label).toMatch(/^Not v1: v1 rules with other settings or work on backend /);
    expect(caveats[0]).toMatch(/^The rules of protocol v1 were kept only in part/);
  }
});

const said = async (plan: Plan, changes: Partial<CampaignEntry> = {}) =>
  (await analyze(plan, changes)).caveats.join('\n');
const random = 'The weights are random';
const files = 'Files are named by the hash of their bytes';

test('of files it is not said that their weights are random', async () => {
  const ofFiles = await said(benchPlan(null));
  expect(ofFiles).not.toContain(random);
  expect(ofFiles).toContain(files);
  expect(ofFiles).toContain('the quality of their text is not looked at');
  const generated = await said(buildPlan());
  expect(generated).toContain(random);
  expect(generated).not.toContain(files);
  const { models } = buildPlan();
  const both = await said(buildPlan({ models: [...models, fileModel('qwen', 'a')] }));
  expect(both).toContain(random);
  expect(both).toContain(files);
});

test('where there is no reference, the first item of each phase is named', async () => {
  const caveats = await said(benchPlan(two), described);
  expect(caveats).toContain(
    'The protocol has no reference of its own: the plan’s first item of each phase (qwen Q4_K_M S64 [t1] prefill; qwen Q4_K_M S0 [t1] decode) is looked at for drift in its place.',
  );
  const tests = [{ phase: 'prefill', tokens: 64, depth: 0 }] as const;
  const one = await said(benchPlan(null, { tests, rules: { phases: ['prefill'] } }));
  expect(one).toContain('(qwen Q4_K_M S64 prefill) is looked at for drift in its place.');
  expect(one).not.toContain('No item of');
  expect(await said(buildPlan())).not.toContain('first item of each phase');
});

test('of variants it is said that the best one was not fixed before', async () => {
  expect(await said(benchPlan(two), described)).toContain(
    '2 variants on 2 backends were measured in the same randomised rounds. Which of them is the best was not fixed before',
  );
  expect(await said(benchPlan(two), described)).toContain('with these backends in these hours');
  expect(await said(benchPlan([variant('only')]))).not.toContain('is the best');
});

/** A campaign whose trials take a time of their own, so that no two are copies. */
function measured(plan: Plan, ns: number, changes: Partial<CampaignEntry> = {}) {
  return buildCompared(
    plan,
    (ledger) => {
      for (const { trial } of ledger.schedule) {
        ledger.observe(trial, [9 * ns, ns + trial, ns + trial]);
      }
    },
    changes,
  );
}

async function refusal(run: () => Promise<unknown>): Promise<string[]> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof RooflawError)) throw error;
    return error.faults.map(({ where, what, hint }) => [where, what, hint].join(' | '));
  }
  throw new Error('it was not refused');
}

const sameBackend = (...changes: Partial<typeof benchExecution>[]) =>
  benchPlan(changes.map((change, index) => variant(`v${index}`, change)));

test('changes between two campaigns are said to be confounded with the session', async () => {
  const comparison = compareCampaigns(
    await measured(sameBackend({}, { threads: 1 }), 1000),
    await measured(sameBackend({}, { threads: 1 }), 2000),
    [],
  );
  expect(comparison.label).toBe('confounded with session: the two were not interleaved');
  expect(comparison.doesNotShow.join('\n')).toContain(
    'Differences between campaigns are confounded with session: another day, another temperature, other neighbours',
  );
  expect(comparison.items).toHaveLength(4);
});

test('variants of one name with other settings are refused, each setting by its name', async () => {
  const [a, b] = [
    await measured(sameBackend({}, { threads: 1 }), 1000),
    await measured(sameBackend({}, { threads: 2, flashAttention: 'on' }), 2000),
  ];
  expect(await refusal(async () => compareCampaigns(a, b, []))).toEqual([
    'protocol | variant v1: threads is 1 in A and 2 in B | ',
    'protocol | variant v1: flashAttention is "off" in A and "on" in B | --across protocol, if this difference is the question',
  ]);
  expect(await refusal(async () => compareCampaigns(a, b, ['backend']))).toHaveLength(2);
  expect(compareCampaigns(a, b, ['protocol']).items).toHaveLength(4);
});

test('settings of variants that only one campaign has are no difference', async () => {
  const swept = await measured(
    benchPlan([variant('t1', { threads: 1 }), variant('t2', { threads: 2 })]),
    1000,
  );
  const other = await measured(
    benchPlan([variant('t2', { threads: 2 }), variant('t4', { threads: 4 })]),
    2000,
  );
  const { items, unmatched, agreement } = compareCampaigns(swept, other, []);
  expect(items.map(({ variant: name }) => name)).toEqual(['t2', 't2']);
  expect(unmatched).toMatchObject({ a: [{ variant: 't1' }, { variant: 't1' }] });
  expect(agreement.find(({ what }) => what === 'protocol')?.state).toBe('same');
});

test('variants of one name on another backend are refused, whichever place the backend has', async () => {
  const onOld = await measured(
    benchPlan([variant('a', {}, 'old'), variant('b', {}, 'new')]),
    1000,
    {
      otherBackends: [{ label: 'new', backend: otherBackend }],
    },
  );
  const third = { ...otherBackend, runner: { ...otherBackend.runner, sha256: '8'.repeat(64) } };
  const rebuilt = await measured(
    benchPlan([variant('a', {}, 'old'), variant('b', {}, 'new')]),
    2000,
    { otherBackends: [{ label: 'new', backend: third }] },
  );
  expect(await refusal(async () => compareCampaigns(onOld, rebuilt, []))).toEqual([
    'runner | variant b: the runner is another program: the same sources, compiled anew | --across backend, if this difference is the question',
  ]);
  expect(compareCampaigns(onOld, rebuilt, ['backend']).across).toEqual(['backend']);

  const swapped = await measured(
    benchPlan([variant('b', {}, 'second'), variant('a', {}, 'first')]),
    3000,
    { backend: otherBackend, otherBackends: [{ label: 'first', backend: backendOf(buildPlan()) }] },
  );
  expect(compareCampaigns(onOld, swapped, []).items).toHaveLength(4);
});
