import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { findEndFaults } from '../../scripts/crash/check-end.ts';
import { compileCrashPrograms, copyRunner } from '../../scripts/crash/compile.ts';
import { makeCrashPlan } from '../../scripts/crash/plans.ts';
import { listRunnersOf, strike, waitUntil } from '../../scripts/crash/processes.ts';
import { startLife } from '../../scripts/crash/start-life.ts';
import { emptyState } from '../../src/campaign/resume.ts';
import { type CampaignPorts, runCampaign } from '../../src/campaign/run-campaign.ts';
import type { LedgerEntry, UnchainedEntry } from '../../src/formats/ledger.ts';
import { fakePorts } from '../support/fake-ports.ts';
import { createFakeRunner } from '../support/fake-runner.ts';

const isLinux = process.platform === 'linux';
const folder = mkdtempSync(join(tmpdir(), 'rooflaw-suspend-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!isLinux)('a campaign that stands still (SIGSTOP; Linux: /proc)', async () => {
  const programs = isLinux ? await compileCrashPrograms(folder) : { runner: '', failingCalls: '' };

  /** Stops processes in the first trial. @returns the outcomes, by trial */
  async function standStill(
    who: readonly ('runner' | 'harness')[],
    stillMs: number,
    timeLimitSeconds: number,
    first: 'runner' | 'harness' = 'runner',
  ) {
    const work = mkdtempSync(join(folder, 'work-'));
    const runner = await copyRunner(programs, work);
    const life = {
      folder: work,
      plan: 'four',
      runner,
      repetitionMs: 60,
      timeLimitSeconds,
    } as const;
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
        await waitUntil(() => listRunnersOf(running.child.pid!).every((pid) => isDead(pid)));
      }
    }
    await running.ended;
    const plan = makeCrashPlan('four', timeLimitSeconds);
    const { acknowledged } = running;
    expect(await findEndFaults({ folder: work, plan, runner, acknowledged })).toEqual([]);
    const text = readFileSync(join(work, 'crash/ledger.ndjson'), 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as LedgerEntry)
      .flatMap((entry) =>
        entry.type === 'observed' ? ['observed'] : entry.type === 'failed' ? [entry.code] : [],
      );
  }

  test('longer than the limit, with its runner: the trial is marked, whoever wakes first', async () => {
    const both = ['harness', 'runner'] as const;
    expect(await standStill(both, 1200, 1, 'runner')).toEqual([
      'time-limit',
      'observed',
      'observed',
      'observed',
    ]);
    expect(await standStill(both, 1200, 1, 'harness')).toEqual([
      'time-limit',
      'observed',
      'observed',
      'observed',
    ]);
  });

  test('its runner alone, longer than the limit: the trial is marked', async () => {
    expect(await standStill(['runner'], 1200, 1)).toEqual([
      'time-limit',
      'observed',
      'observed',
      'observed',
    ]);
  });

  test('shorter than the limit: nothing shows it but a slow repetition', async () => {
    expect(await standStill(['runner'], 150, 20)).toEqual(Array(4).fill('observed'));
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

/** Ended, and perhaps not collected yet. */
function isDead(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return true;
  }
}
