import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeCrashPlan } from '../../scripts/crash/plans.ts';
import { listRunnersOf, stateOf, strike, waitUntil } from '../../scripts/crash/processes.ts';
import { startLife } from '../../scripts/crash/start-life.ts';
import { emptyState } from '../../src/campaign/resume.ts';
import { type CampaignPorts, runCampaign } from '../../src/campaign/run-campaign.ts';
import type {
  DeviceState,
  FailedEntry,
  ObservedEntry,
  UnchainedEntry,
} from '../../src/formats/ledger.ts';
import { fakePorts } from '../support/fake-ports.ts';
import { createFakeRunner } from '../support/fake-runner.ts';
import { findFaultsOf, prepareLives, readLedgerOf } from '../support/fast-runner-life.ts';

const isLinux = process.platform === 'linux';
const isDead = (pid: number) => [null, 'Z'].includes(stateOf(pid));
const firstIsMarked = ['time-limit', 'observed', 'observed', 'observed'];

describe.skipIf(!isLinux)('a campaign that stands still (SIGSTOP; Linux: /proc)', async () => {
  const lives = isLinux ? await prepareLives() : null;

  /** Stops processes in the first trial. @returns the outcomes, by trial */
  async function standStill(
    who: readonly ('runner' | 'harness')[],
    stillMs: number,
    timeLimitSeconds: number,
    first: 'runner' | 'harness' = 'runner',
  ) {
    const life = await lives!.prepare({ plan: 'four', repetitionMs: 250, timeLimitSeconds });
    const running = startLife(life);
    await running.waitFor((line) => line.startsWith('ack 2 ')); // the first trial is intended
    await waitUntil(() => listRunnersOf(running.child.pid!).length > 0);
    const [runnerPid] = listRunnersOf(running.child.pid!);
    await wait(30);
    const pidOf = { runner: runnerPid, harness: running.child.pid };
    for (const name of who) expect(strike(pidOf[name], 'SIGSTOP')).toBe(true);
    await wait(stillMs);
    for (const name of who.toSorted((a) => (a === first ? -1 : 1))) {
      strike(pidOf[name], 'SIGCONT');
      if (who.length > 1 && name === 'runner' && first === 'runner') {
        // it ends before the harness wakes: the end is seen before the limit's own timer
        await waitUntil(() => listRunnersOf(running.child.pid!).every(isDead));
      }
    }
    await running.ended;
    expect(await findFaultsOf(life, running.acknowledged)).toEqual([]);
    return readLedgerOf(life).filter(({ type }) => type === 'observed' || type === 'failed') as (
      | ObservedEntry
      | FailedEntry
    )[];
  }

  const nameOutcomes = (entries: readonly (ObservedEntry | FailedEntry)[]) =>
    entries.map((entry) => (entry.type === 'failed' ? entry.code : entry.type));

  test('longer than the limit, with its runner: the trial is marked, whoever wakes first', async () => {
    const both = ['harness', 'runner'] as const;
    for (const first of ['runner', 'harness'] as const) {
      expect(nameOutcomes(await standStill(both, 2500, 2, first))).toEqual(firstIsMarked);
    }
  });

  test('its runner alone, longer than the limit: the trial is marked', async () => {
    expect(nameOutcomes(await standStill(['runner'], 2500, 2))).toEqual(firstIsMarked);
  });

  test('its runner alone, shorter than the limit: nothing shows it but a slow repetition', async () => {
    expect(nameOutcomes(await standStill(['runner'], 150, 20))).toEqual(Array(4).fill('observed'));
  });

  test('its harness alone, longer than the limit: that is said of the trial, which is marked', async () => {
    const entries = await standStill(['harness'], 3500, 2);
    expect(nameOutcomes(entries)).toEqual(firstIsMarked);
    expect(entries[0]).toMatchObject({
      message: expect.stringMatching(
        /^ran past the time limit of [\d.]+ s, as seen by a harness that stood still for \d+\.\d s meanwhile$/,
      ),
    });
  });

  test('its harness alone, shorter than the limit: the runner’s times count, and the late reading is marked', async () => {
    const entries = await standStill(['harness'], 2500, 20);
    expect(nameOutcomes(entries)).toEqual(Array(4).fill('observed'));
    const { deviceBefore, deviceAfter, processNs } = entries[0]!;
    expect(processNs).toBeGreaterThan(2_000_000_000);
    expect(deviceBefore.readings).toEqual({});
    // its timer is due once a second: so much of the 2.5 s cannot be told
    expect(Number(deviceAfter.readings.harnessStoodStillNs)).toBeGreaterThan(1_400_000_000);
  });
});

/** The outcomes of a campaign in memory, whose clocks and processes are made up. */
async function measureInMemory(ports: Partial<CampaignPorts>) {
  const plan = makeCrashPlan('four');
  const entries: UnchainedEntry[] = [];
  const campaign = runCampaign(plan, emptyState(plan), 0, fakePorts(ports));
  for await (const entry of campaign) entries.push(entry);
  return entries.filter(({ type }) => type !== 'intended');
}

test('a machine that slept in a trial: its times are no data, though all are there', async () => {
  // read before and after each trial: it sleeps in the second
  const bootNs = [0, 0, 0, 3e9, 3e9, 3e9, 3e9, 3e9];
  const entries = await measureInMemory({ bootClockNs: () => bootNs.shift() ?? 0 });
  const types = entries.map(({ type }) => type);
  expect(types).toEqual(['observed', 'failed', 'observed', 'observed', 'end']);
  expect(entries[1]).toMatchObject({
    code: 'invalid-time',
    message: 'the machine was suspended for 3.0 s during the trial',
  });
});

test('an end that is seen after the limit, though no timer struck, is past the limit', async () => {
  const runner = createFakeRunner((_record, call) => (call === 2 ? { processNs: 20.1e9 } : {}));
  const entries = await measureInMemory({ runner });
  const types = entries.map(({ type }) => type);
  expect(types).toEqual(['observed', 'observed', 'failed', 'observed', 'end']);
  expect(entries[2]).toMatchObject({ code: 'time-limit' });
});

test.each([
  ['not-seen', 'not-visible'],
  ['seen', 'seen'],
] as const)('a reading of a harness that stood still: others %s are %s', async (read, recorded) => {
  const readings = { temperatureC: '38' };
  const state: DeviceState = { source: 'nvidia-smi', readNs: 0, readings, otherUse: read };
  const runner = createFakeRunner((_record, call) => (call === 1 ? { stoodStillNs: 3e9 } : {}));
  const entries = await measureInMemory({ runner, readDeviceState: async () => state });
  const stoodStill = { ...readings, harnessStoodStillNs: '3000000000' };
  expect(entries[0]).toMatchObject({ deviceBefore: state, deviceAfter: state });
  expect(entries[1]).toMatchObject({
    type: 'observed',
    deviceBefore: state,
    deviceAfter: { ...state, readings: stoodStill, otherUse: recorded },
  });
});
