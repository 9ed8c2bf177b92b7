import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProcessRunner } from '../../src/campaign/process-runner.io.ts';
import { emptyState } from '../../src/campaign/resume.ts';
import { runCampaign } from '../../src/campaign/run-campaign.ts';
import type { Launch } from '../../src/formats/treatment.ts';
import { plainLaunch } from '../../src/formats/treatment.ts';
import { buildTrial } from '../../src/protocol/build-trial.ts';
import { planTrials } from '../../src/protocol/schedule.ts';
import { arm, smallExperiment, smallExperimentPlan } from '../support/experiment-plan.ts';
import { fakePorts } from '../support/fake-ports.ts';
import { createFakeRunner } from '../support/fake-runner.ts';
import { smallPlan } from '../support/small-plan.ts';
import { fileModel } from '../support/variant-plan.ts';

const idle = smallExperimentPlan(
  smallExperiment({
    arms: [arm('now'), arm('later', { launch: { idleMilliseconds: 5 } })],
    blocks: 2,
  }),
  [fileModel('one', '1')],
);

/** A world in which what an arm wants before its process takes 7 ns, and is noted. */
function preparedPorts(changes: Parameters<typeof fakePorts>[0] = {}) {
  const seen: string[] = [];
  const runner = createFakeRunner();
  const ports = fakePorts({
    variantRunners: new Map([['embedded', runner]]),
    waitForIdle: async () => 100,
    prepareLaunch: async ({ idleMilliseconds }: Launch) => {
      seen.push(`wait ${idleMilliseconds}`);
      return { tookNs: 7, undo: async () => void seen.push('undo') };
    },
    ...changes,
  });
  return { ports, seen };
}

test('what an arm wants is done before its process, undone after it, and part of the wait', async () => {
  const { ports, seen } = preparedPorts();
  const waits: number[] = [];
  for await (const entry of runCampaign(idle, emptyState(idle), 0, ports)) {
    if (entry.type === 'observed') waits.push(entry.idleWaitNs);
  }
  expect(seen).toEqual(['wait 5', 'undo', 'wait 5', 'undo']);
  expect(waits.sort()).toEqual([100, 100, 107, 107]);
});

test('it is undone also when a campaign is stopped meanwhile, and when the runner cannot go on', async () => {
  const stop = new AbortController();
  const stopping = preparedPorts({ stop: stop.signal });
  const original = stopping.ports.prepareLaunch!;
  stopping.ports.prepareLaunch = async (launch) => {
    stop.abort();
    return original(launch);
  };
  for await (const _ of runCampaign(idle, emptyState(idle), 0, stopping.ports));
  expect(stopping.seen).toEqual(['wait 5', 'undo']);

  const broken = { run: () => Promise.reject(new Error('no disk')) };
  const failing = preparedPorts({ variantRunners: new Map([['embedded', broken]]) });
  const state = emptyState(idle);
  for (const { trial, item } of planTrials(idle))
    if (item.variant === 'now') state.finished.add(trial);
  const run = async () => {
    for await (const _ of runCampaign(idle, state, 0, failing.ports));
  };
  await expect(run()).rejects.toThrow('no disk');
  expect(failing.seen).toEqual(['wait 5', 'undo']);
});

const plan = smallPlan();
const trial = buildTrial(plan.protocol, planTrials(plan)[0]!, '/m.gguf', {
  name: 'CPU',
  type: 'cpu',
});

/** What a shell says of its environment, started as an arm wants it. */
async function launch(words: string, changes: Partial<Launch>) {
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-launch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const runner = createProcessRunner('/bin/sh', ['-c', `{ ${words}; } >&2`], {
    PATH: process.env.PATH!,
  });
  const log = join(folder, '1.log');
  const record = await runner.run(trial, log, 20_000, new AbortController().signal, {
    ...plainLaunch,
    ...changes,
  });
  return { record, log: readFileSync(log, 'utf8') };
}

test('under another program the runner hears of no harness, which is not its parent', async () => {
  const say = 'echo "harness=[$ROOFLAW_HARNESS]"';
  expect((await launch(say, {})).log).toMatch(/harness=\[0*[1-9]\d*\]/);
  expect((await launch(say, { wrapper: ['env', 'OTHER=1'] })).log).toContain('harness=[]');
});

test.skipIf(process.platform !== 'linux')(
  'addresses are fixed when an arm asks, and only then',
  async () => {
    const say = 'cat /proc/self/personality';
    const { log, record } = await launch(say, { addresses: 'fixed' });
    if (record.exitStatus === 0) expect(Number.parseInt(log, 16) & 0x0040000).toBe(0x0040000); // ADDR_NO_RANDOMIZE
    expect(Number.parseInt((await launch(say, {})).log, 16) & 0x0040000).toBe(0);
  },
);

test('a wrapper that is not there fails the trial, by its name', async () => {
  const { record } = await launch('true', { wrapper: ['no-such-profiler', '--'] });
  expect(record.startError).toContain('no-such-profiler');
});

test('who runs is looked at where an arm asks for it', async () => {
  const { record } = await launch('sleep 0.2', { whoRuns: true });
  if (record.whoRan !== undefined) expect(record.whoRan.samplesTaken).toBeGreaterThan(1);
  expect((await launch('true', {})).record).not.toHaveProperty('whoRan');
});
