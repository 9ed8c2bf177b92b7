import { expect, test } from 'vitest';
import { findIdentityDifferences } from '../../src/campaign/environment.ts';
import { advanceState, emptyState } from '../../src/campaign/resume.ts';
import { type CampaignPorts, runCampaign } from '../../src/campaign/run-campaign.ts';
import type { LedgerEntry, UnchainedEntry } from '../../src/formats/ledger.ts';
import { findPlanFaults } from '../../src/protocol/plan-faults.ts';
import { planTrials } from '../../src/protocol/schedule.ts';
import { fakeEnvironment } from '../support/fake-environment.ts';
import { createFakeRunner } from '../support/fake-runner.ts';
import { benchPlan, variant } from '../support/variant-plan.ts';

const plan = benchPlan([
  variant('old-t1', { threads: 1, threadsBatch: 1 }, 'old'),
  variant('old-t2', {}, 'old'),
  variant('new-t1', { threads: 1, threadsBatch: 1 }, 'new'),
]);
const quiet = { source: 'none', readNs: 0, readings: {}, otherUse: 'not-visible' } as const;

function portsWith(runners: Record<string, CampaignPorts['runner']>): CampaignPorts {
  let now = 0n;
  return {
    runner: createFakeRunner(() => {
      throw new Error('no trial of a variant is for the campaign’s own runner');
    }),
    variantRunners: new Map(Object.entries(runners)),
    device: { name: 'CPU', type: 'cpu' },
    readDeviceState: async () => quiet,
    waitForIdle: async () => 0,
    openModel: async (sha256) => `/models/${sha256}`,
    logPath: (trial, attempt) => `/logs/${trial}-${attempt}`,
    describeLog: async () => null,
    nowNs: () => (now += 200_000_000n),
    stop: new AbortController().signal,
  };
}

async function run(ports: CampaignPorts): Promise<UnchainedEntry[]> {
  const entries: UnchainedEntry[] = [];
  const state = emptyState(plan);
  for await (const entry of runCampaign(plan, state, 0, ports)) {
    advanceState(state, { seq: 0, prev: '', time: '', ...entry } as LedgerEntry);
    entries.push(entry);
  }
  return entries;
}

test('each backend’s runner gets the trials of its variants, in the schedule’s order, and no others', async () => {
  expect(findPlanFaults(plan)).toEqual([]);
  const [old, fresh] = [createFakeRunner(), createFakeRunner()];
  const entries = await run(portsWith({ old, new: fresh }));
  expect(entries.at(-1)).toEqual({ type: 'end', observed: 18, failed: 0 });
  const told = ({ phase, threads }: { phase: string; threads: number }) => `${phase} ${threads}`;
  const planned = (backend: string) =>
    planTrials(plan)
      .filter((trial) => trial.backend === backend)
      .map(({ item, execution }) => told({ phase: item.phase, ...execution }));
  expect(old.trials.map(told)).toEqual(planned('old'));
  expect(fresh.trials.map(told)).toEqual(planned('new'));
  expect([old.trials.length, fresh.trials.length]).toEqual([12, 6]);
  expect(new Set(fresh.trials.map(({ threads }) => threads))).toEqual(new Set([1]));
  expect(new Set(old.trials.map(({ threads }) => threads))).toEqual(new Set([1, 2]));
});

test('a trial that the runner of one variant lets fail is told under its variant', async () => {
  const broken = createFakeRunner(() => ({ exitStatus: null, signal: 'SIGILL' }));
  const entries = await run(portsWith({ old: createFakeRunner(), new: broken }));
  expect(entries.at(-1)).toEqual({ type: 'end', observed: 12, failed: 6 });
  const failed = entries.flatMap((entry, index) => {
    const before = entries[index - 1];
    return entry.type === 'failed' && before?.type === 'intended' ? [before.item.variant] : [];
  });
  expect(failed).toEqual(Array(6).fill('new-t1'));
});

test('a backend without a runner is a defect, not a trial', async () => {
  await expect(run(portsWith({ old: createFakeRunner() }))).rejects.toThrow(
    'there is no runner of the backend new',
  );
});

test('another backend in place of a variant’s is another identity', () => {
  const { backend } = fakeEnvironment;
  const others = (sha256: string) => [
    { label: 'new', backend: { ...backend, runner: { ...backend.runner, sha256 } } },
  ];
  const then = { ...fakeEnvironment, otherBackends: others('6'.repeat(64)) };
  expect(findIdentityDifferences(then, structuredClone(then))).toEqual([]);
  const rebuilt = { ...then, otherBackends: others('7'.repeat(64)) };
  expect(findIdentityDifferences(then, rebuilt)).toEqual(['the runner of new is another program']);

  const libraries = [{ name: 'libllama.so', bytes: 1, sha256: '9'.repeat(64) }];
  const kept = others('6'.repeat(64))[0]!.backend;
  const exchanged = { ...then, otherBackends: [{ label: 'new', backend: { ...kept, libraries } }] };
  expect(findIdentityDifferences(then, exchanged)).toEqual([
    'the libraries of llama.cpp of new are others',
  ]);
  expect(findIdentityDifferences(then, fakeEnvironment)).toEqual([
    'the runner of new is another program',
    'the libraries of llama.cpp of new are others',
  ]);
});

test('backends that have changed places are two others', () => {
  const { backend } = fakeEnvironment;
  const other = { ...backend, runner: { ...backend.runner, sha256: '6'.repeat(64) } };
  const then = { ...fakeEnvironment, otherBackends: [{ label: 'new', backend: other }] };
  const swapped = { ...then, backend: other, otherBackends: [{ label: 'new', backend }] };
  expect(findIdentityDifferences(then, swapped)).toEqual([
    'the runner is another program',
    'the runner of new is another program',
  ]);
});
