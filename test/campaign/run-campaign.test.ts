import { expect, test } from 'vitest';
import { advanceState, type CampaignState, emptyState } from '../../src/campaign/resume.ts';
import { type CampaignPorts, runCampaign } from '../../src/campaign/run-campaign.ts';
import type { TrialRunner } from '../../src/campaign/trial-runner.ts';
import { RooflawError } from '../../src/errors.ts';
import type { LedgerEntry, UnchainedEntry } from '../../src/formats/ledger.ts';
import { createFakeRunner } from '../support/fake-runner.ts';
import { smallPlan } from '../support/small-plan.ts';

const plan = smallPlan();
const quiet = { source: 'none', readNs: 0, readings: {}, otherUse: 'not-visible' } as const;

function portsWith(runner: TrialRunner, stop = new AbortController().signal): CampaignPorts {
  let now = 0n;
  return {
    runner,
    device: { name: 'CPU', type: 'cpu' },
    readDeviceState: async () => quiet,
    waitForIdle: async () => 0,
    openModel: async (sha256) => `/models/${sha256}`,
    logPath: (trial, attempt) => `/logs/${trial}-${attempt}`,
    describeLog: async () => null,
    nowNs: () => (now += 200_000_000n),
    stop,
  };
}

/** Runs until `limit` entries were stored, as a harness that dies then would. */
async function runFor(limit: number, ports: CampaignPorts, state: CampaignState, session = 0) {
  const entries: UnchainedEntry[] = [];
  for await (const entry of runCampaign(plan, state, session, ports)) {
    entries.push(entry);
    advanceState(state, { ...entry, seq: 0, prev: '', time: '' } as LedgerEntry);
    if (entries.length === limit) break;
  }
  return entries;
}

const told = (entries: UnchainedEntry[]) =>
  entries.map((entry) =>
    'trial' in entry ? `${entry.type} ${entry.trial}/${entry.attempt}` : entry.type,
  );

test('each trial is intended before and observed after, in the order of the schedule, then the end', async () => {
  const entries = await runFor(Infinity, portsWith(createFakeRunner()), emptyState());
  expect(told(entries)).toEqual([
    ...Array.from({ length: 12 }, (_, n) => [`intended ${n}/0`, `observed ${n}/0`]).flat(),
    'end',
  ]);
  expect(entries.at(-1)).toEqual({ type: 'end', observed: 12, failed: 0 });
});

test('a trial that fails is an entry, and the campaign goes on', async () => {
  const runner = createFakeRunner((_record, call) =>
    call === 1 ? { exitStatus: null, signal: 'SIGSEGV', stderrEnd: 'boom' } : {},
  );
  const entries = await runFor(Infinity, portsWith(runner), emptyState());
  expect(entries[3]).toMatchObject({
    type: 'failed',
    trial: 1,
    code: 'signal',
    signal: 'SIGSEGV',
    stderrEnd: 'boom',
    processNs: 100_000_000,
  });
  expect(entries.at(-1)).toEqual({ type: 'end', observed: 11, failed: 1 });
});

test('no folder is in the ledger, whatever characters the paths of the machine have', async () => {
  const runner = createFakeRunner((_record, call) =>
    call === 0
      ? { exitStatus: 1, stderrEnd: 'cannot read /m; "x" y/z (1)/a b.gguf from /home/al; ice/lib' }
      : call === 1
        ? { signal: 'SIGABRT', lastWords: `/home/al; ice/${'x/'.repeat(200)}a.c:1: GGML_ASSERT(a)` }
        : {},
  );
  const ports = {
    ...portsWith(runner),
    openModel: async () => '/m; "x" y/z (1)/a b.gguf',
    knownPaths: { files: [], folders: ['/home/al; ice'] },
  };
  const entries = await runFor(4, ports, emptyState());
  expect(entries[1]).toMatchObject({ stderrEnd: 'cannot read …/a b.gguf from …/lib' });
  expect(entries[3]).toMatchObject({ message: 'ended by SIGABRT: …/a.c:1: GGML_ASSERT(a)' });
});

test('after a crash in a trial, that trial is recorded as interrupted and measured again', async () => {
  const state = emptyState();
  await runFor(5, portsWith(createFakeRunner()), state); // the last is: intended 2
  const runner = createFakeRunner();
  const entries = await runFor(Infinity, portsWith(runner), state, 1);
  expect(told(entries).slice(0, 4)).toEqual([
    'interrupted 2/0',
    'intended 2/1',
    'observed 2/1',
    'intended 3/0',
  ]);
  expect(entries[0]).toMatchObject({ reason: 'harness-died', costNs: null });
  expect(runner.trials).toHaveLength(10);
  expect(entries.at(-1)).toEqual({ type: 'end', observed: 12, failed: 0 });
});

test('a trial during which a file changed is not counted, says so, and is measured again', async () => {
  const state = emptyState();
  const changed = new Error('x.gguf changed during the campaign');
  const looks = { count: 0 };
  const ports: CampaignPorts = {
    ...portsWith(createFakeRunner()),
    openModel: async (sha256) => {
      looks.count += 1; // before and after each trial
      if (looks.count === 6) throw changed;
      return `/models/${sha256}`;
    },
  };
  const entries: UnchainedEntry[] = [];
  const measuring = async () => {
    for await (const entry of runCampaign(plan, state, 0, ports)) {
      entries.push(entry);
      advanceState(state, { ...entry, seq: 0, prev: '', time: '' } as LedgerEntry);
    }
  };
  await expect(measuring()).rejects.toBe(changed);
  expect(told(entries).slice(-2)).toEqual(['intended 2/0', 'interrupted 2/0']);
  // a process of 100 ms, and 200 ms of the clock of which the harness had the rest
  expect(entries.at(-1)).toMatchObject({ reason: 'file-changed', costNs: 200_000_000 });
  const after = await runFor(2, portsWith(createFakeRunner()), state, 1);
  expect(told(after)).toEqual(['intended 2/1', 'observed 2/1']);
});

test('a trial is not counted either where looking for changes after it was stopped', async () => {
  const state = emptyState();
  const looks = { count: 0 };
  const ports: CampaignPorts = {
    ...portsWith(createFakeRunner()),
    openModel: async () => {
      looks.count += 1;
      if (looks.count === 2) throw new RooflawError('interrupted', 'stopped while hashing');
      return '/m.gguf';
    },
  };
  const entries: UnchainedEntry[] = [];
  const measuring = async () => {
    for await (const entry of runCampaign(plan, state, 0, ports)) entries.push(entry);
  };
  await expect(measuring()).rejects.toMatchObject({ code: 'interrupted' });
  expect(told(entries)).toEqual(['intended 0/0', 'interrupted 0/0']);
  expect(entries[1]).toMatchObject({ reason: 'stopped-by-user' });
});

test('wherever it dies, the resumed campaign observes every trial exactly once', async () => {
  for (let limit = 1; limit <= 24; limit++) {
    const state = emptyState();
    const before = await runFor(limit, portsWith(createFakeRunner()), state);
    const after = await runFor(Infinity, portsWith(createFakeRunner()), state, 1);
    const observed = [...before, ...after].flatMap((entry) =>
      entry.type === 'observed' ? [entry.trial] : [],
    );
    expect(observed).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  }
});

test('a stop during a trial records it as interrupted with its cost and ends without an end', async () => {
  const controller = new AbortController();
  const runner = createFakeRunner((_record, call) => {
    if (call !== 1) return {};
    controller.abort();
    return { endedBy: 'stopped', exitStatus: null, signal: 'SIGKILL' };
  });
  const entries = await runFor(Infinity, portsWith(runner, controller.signal), emptyState());
  expect(told(entries)).toEqual([
    'intended 0/0',
    'observed 0/0',
    'intended 1/0',
    'interrupted 1/0',
  ]);
  expect(entries.at(-1)).toMatchObject({ reason: 'stopped-by-user', costNs: 200_000_000 });
});

test('time that is neither the process nor a device read nor waiting is the harness’s', async () => {
  const entries = await runFor(2, portsWith(createFakeRunner()), emptyState());
  expect(entries[1]).toMatchObject({ processNs: 100_000_000, harnessNs: 100_000_000 });
});
