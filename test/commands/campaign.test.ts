import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSpecimen } from '../../src/device/specimen.io.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { findRealBackend } from '../support/real-backend.ts';
import {
  finish,
  makeSmallPlan,
  smallCpuProtocol,
  type Workspace,
  workIn,
} from '../support/rooflaw.ts';

const ledgerOf = (work: Workspace) => join(work.folder, 'campaigns/small/ledger.ndjson');
const readEntries = (work: Workspace): LedgerEntry[] =>
  readFileSync(ledgerOf(work), 'utf8')
    .split('\n')
    .flatMap((line, index, all) => (index < all.length - 1 ? [JSON.parse(line)] : []));

const specimenOf = (name: string) =>
  readSpecimen({ name, description: name, memoryBytes: 0, type: 'cpu' });

/** Waits until the running campaign has observed `count` trials. */
async function waitForObserved(work: Workspace, count: number): Promise<void> {
  await expect
    .poll(
      () =>
        existsSync(ledgerOf(work))
          ? readEntries(work).filter(({ type }) => type === 'observed').length
          : 0,
      { timeout: 60_000, interval: 20 },
    )
    .toBeGreaterThanOrEqual(count);
}

/** Processes whose standard error goes to a log of this workspace. */
function runnersOf(work: Workspace): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/fd/2`).startsWith(work.folder);
    } catch {
      return false; // it ended meanwhile
    }
  });
}

function expectEachTrialOnce(work: Workspace): void {
  const observed = readEntries(work).flatMap((entry) =>
    entry.type === 'observed' ? [entry.trial] : [],
  );
  expect(observed).toEqual(Array.from({ length: observed.length }, (_, trial) => trial));
  expect(observed).toHaveLength(12);
}

const real = await findRealBackend();
const reason = real.state === 'ready' ? '' : ` (skipped: ${real.what})`;
describe.skipIf(real.state !== 'ready')(`a campaign on real llama.cpp${reason}`, () => {
  test('is planned, measured, verified, analysed and reported', { timeout: 180_000 }, async () => {
    const work = workIn();
    expect(await makeSmallPlan(work)).toMatchObject({ status: 0 });
    const run = await work.run(['run', 'small.plan.json']);
    expect(run).toMatchObject({ status: 0, stdout: '' });
    expectEachTrialOnce(work);
    const [campaign, session] = readEntries(work);
    expect(campaign).toMatchObject({ type: 'campaign', specimenSha256: await specimenOf('CPU') });
    expect(session).toMatchObject({ type: 'session', specimenSha256: await specimenOf('CPU') });
    const observed = readEntries(work).filter((entry) => entry.type === 'observed');
    for (const entry of observed) {
      expect(entry.repetitions).toHaveLength(3);
      for (const { wallNs } of entry.repetitions) expect(wallNs).toBeGreaterThan(0);
      expect(entry.load?.applied).toMatchObject({
        threads: 1,
        flashAttention: 'off',
        layersOffloaded: 0,
      });
      expect(entry.log?.bytes).toBeGreaterThan(0);
    }
    expect(await work.run(['verify', 'small'])).toMatchObject({ status: 0 });

    const analysis = JSON.parse((await work.run(['analyze', 'small', '--json'])).stdout);
    expect(analysis.items).toHaveLength(4);
    for (const item of analysis.items) {
      expect(item).toMatchObject({ n: 3, failed: 0, interval: null });
      expect(item.representativeNs).toBeGreaterThan(0);
    }
    const table = await work.run(['analyze', 'small']);
    expect(table.stdout).toContain('not v1');
    const report = await work.run(['report', 'small']);
    expect(report).toMatchObject({ status: 0, stdout: 'campaigns/small/report.html\n' });
    const html = readFileSync(join(work.folder, report.stdout.trim()), 'utf8');
    expect(html).toContain('conditions of space small');
    expect((await work.run(['status'])).stdout).toContain('small: complete, 12 of 12 trials');

    const again = await work.run(['run', 'small.plan.json']);
    expect(again.status).toBe(0);
    expect(readEntries(work)).toHaveLength(27);
  });

  test('is killed at any moment and resumed: every trial once, the chain whole', {
    timeout: 180_000,
  }, async () => {
    const work = workIn();
    await makeSmallPlan(work);
    for (const observed of [1, 4]) {
      const child = work.start(['run', 'small.plan.json']);
      const ended = finish(child);
      await waitForObserved(work, observed);
      child.kill('SIGKILL');
      await ended;
      await expect.poll(() => runnersOf(work), { timeout: 5000 }).toEqual([]);
    }
    const resumed = await work.run(['run', 'small.plan.json']);
    expect(resumed.status).toBe(0);
    expect(resumed.stderr).toContain('goes on');
    expectEachTrialOnce(work);
    expect(await work.run(['verify', 'small'])).toMatchObject({ status: 0 });
    expect(readEntries(work).filter(({ type }) => type === 'session')).toHaveLength(3);
  });

  test('stops at Ctrl-C with status 130 and leaves no process behind', {
    timeout: 180_000,
  }, async () => {
    const work = workIn();
    await makeSmallPlan(work);
    const child = work.start(['run', 'small.plan.json']);
    const ended = finish(child);
    await waitForObserved(work, 2);
    child.kill('SIGINT');
    const { status, stderr } = await ended;
    expect(status).toBe(130);
    expect(stderr).toContain('resumes');
    expect(runnersOf(work)).toEqual([]);
    expect(await work.run(['run', 'small.plan.json'])).toMatchObject({ status: 0 });
    expectEachTrialOnce(work);
  });

  test('is refused while another one uses the device, and the owner is named', {
    timeout: 180_000,
  }, async () => {
    const work = workIn();
    await makeSmallPlan(work, smallCpuProtocol({ processesPerItem: 1000 })); // longer than this test

    const child = work.start(['run', 'small.plan.json']);
    const ended = finish(child);
    await waitForObserved(work, 1);
    const second = await work.run(['run', 'small.plan.json', '--name', 'other']);
    expect(second.status).toBe(6);
    expect(second.stderr).toContain(`process ${child.pid} works on campaign small`);
    expect(existsSync(join(work.folder, 'campaigns/other'))).toBe(false);
    child.kill('SIGINT');
    await ended;
  });

  test('goes on when trials fail, and says so in its exit status', {
    timeout: 180_000,
  }, async () => {
    const work = workIn();
    await makeSmallPlan(work, smallCpuProtocol({ trialTimeLimitSeconds: 0.001 }));
    const run = await work.run(['run', 'small.plan.json']);
    expect(run.status).toBe(3);
    const failed = readEntries(work).filter((entry) => entry.type === 'failed');
    expect(failed.map(({ code }) => code)).toEqual(Array(12).fill('time-limit'));
    const table = await work.run(['analyze', 'small']);
    expect(table.status).toBe(0);
    expect(
      JSON.parse((await work.run(['analyze', 'small', '--json'])).stdout).items[0],
    ).toMatchObject({
      n: 0,
      failed: 3,
      representativeNs: null,
    });
    expect(await work.run(['report', 'small'])).toMatchObject({ status: 0 });
  });

  test('refuses a model that is not what the plan says, and writes nothing', {
    timeout: 180_000,
  }, async () => {
    const work = workIn();
    await makeSmallPlan(work);
    const plan = JSON.parse(readFileSync(join(work.folder, 'small.plan.json'), 'utf8')) as Plan;
    const right = plan.models[0]!.sha256;
    const text = JSON.stringify(plan).replaceAll(right, '0'.repeat(64));
    work.write('forged.plan.json', text);
    const run = await work.run(['run', 'forged.plan.json', '--name', 'forged']);
    expect(run.status).toBe(5);
    expect(run.stderr).toContain('0'.repeat(64));
    expect(existsSync(join(work.folder, 'campaigns'))).toBe(false);
  });

  test('refuses more threads than CPUs before anything is written', {
    timeout: 180_000,
  }, async () => {
    const work = workIn();
    const protocol = smallCpuProtocol();
    await makeSmallPlan(work, {
      ...protocol,
      execution: { ...protocol.execution, threads: 500, threadsBatch: 500 },
    });
    const run = await work.run(['run', 'small.plan.json']);
    expect(run.status).toBe(4);
    expect(run.stderr).toContain('500 threads, but this process may use');
    expect(existsSync(join(work.folder, 'campaigns'))).toBe(false);
  });

  test('refuses to go on with another plan under the same name', { timeout: 180_000 }, async () => {
    const work = workIn();
    await makeSmallPlan(work);
    await work.run(['run', 'small.plan.json']);
    const plan = JSON.parse(readFileSync(join(work.folder, 'small.plan.json'), 'utf8')) as Plan;
    work.write('changed.plan.json', { ...plan, scheduleSeed: 8 });
    const before = readFileSync(ledgerOf(work));
    const run = await work.run(['run', 'changed.plan.json']);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('it was begun with another plan');
    expect(readFileSync(ledgerOf(work))).toEqual(before);
  });

  test('whose ledger’s end was cut off does not go on: the logs tell', {
    timeout: 180_000,
  }, async () => {
    const work = workIn();
    await makeSmallPlan(work);
    await work.run(['run', 'small.plan.json']);
    const lines = readFileSync(ledgerOf(work), 'utf8').trimEnd().split('\n');
    writeFileSync(ledgerOf(work), `${lines.slice(0, -3).join('\n')}\n`); // without its last trial
    const cut = readFileSync(ledgerOf(work));
    const verdict = await work.run(['verify', 'small']);
    expect(verdict.status).toBe(5);
    expect(verdict.stdout).toContain(
      'logs/000011-0.log: is of a trial that the ledger does not know',
    );
    expect(verdict.stdout).toContain('incomplete: 11 of 12 trials and no end');
    for (let time = 0; time < 2; time++) {
      const resumed = await work.run(['run', 'small.plan.json']);
      expect(resumed.status).toBe(5);
      expect(resumed.stderr).toContain('logs/000011-0.log');
      expect(readFileSync(ledgerOf(work))).toEqual(cut);
    }
    rmSync(ledgerOf(work));
    expect((await work.run(['run', 'small.plan.json'])).status).toBe(5);
    expect(existsSync(ledgerOf(work))).toBe(false);
  });

  test('whose log was changed or is missing is found out', { timeout: 180_000 }, async () => {
    const work = workIn();
    await makeSmallPlan(work);
    await work.run(['run', 'small.plan.json']);
    expect((await work.run(['verify', 'small'])).stdout).toContain('12 logs checked');
    const logs = join(work.folder, 'campaigns/small/logs');
    writeFileSync(join(logs, '000003-0.log'), 'other');
    rmSync(join(logs, '000004-0.log'));
    const { status, stdout } = await work.run(['verify', 'small']);
    expect(status).toBe(5);
    expect(stdout).toContain('logs/000003-0.log: is not the log that was written');
    expect(stdout).toContain('logs/000004-0.log: is missing');
  });

  test('is listed beside one that cannot be read', { timeout: 180_000 }, async () => {
    const work = workIn();
    await makeSmallPlan(work);
    await work.run(['run', 'small.plan.json']);
    mkdirSync(join(work.folder, 'campaigns/odd/ledger.ndjson'), { recursive: true });
    const { status, stdout } = await work.run(['status']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^odd: unreadable, .*\nsmall: complete, 12 of 12 trials/);
  });

  test('takes a note, and refuses one without words', { timeout: 180_000 }, async () => {
    const work = workIn();
    await makeSmallPlan(work);
    await work.run(['run', 'small.plan.json']);
    const before = readFileSync(ledgerOf(work));
    expect((await work.run(['note', 'small', ' '])).status).toBe(2);
    expect(readFileSync(ledgerOf(work))).toEqual(before);
    expect((await work.run(['note', 'small', 'the fan was replaced'])).status).toBe(0);
    expect((await work.run(['verify', 'small'])).status).toBe(0);
    expect((await work.run(['analyze', 'small'])).stdout).toContain('the fan was replaced');
  });

  test('goes on when nobody reads its progress any more', { timeout: 180_000 }, async () => {
    const work = workIn();
    await makeSmallPlan(work);
    const child = work.start(['run', 'small.plan.json']);
    child.stderr?.once('data', () => child.stderr?.destroy());
    const status = await new Promise((resolve) => child.on('exit', resolve));
    expect(status).toBe(0);
    expectEachTrialOnce(work);
  });

  test('whose ledger was touched is found out by every command', { timeout: 180_000 }, async () => {
    const work = workIn();
    await makeSmallPlan(work);
    await work.run(['run', 'small.plan.json']);
    const text = readFileSync(ledgerOf(work), 'utf8');
    writeFileSync(ledgerOf(work), text.replace(/"wallNs":\d+/, '"wallNs":1'));
    for (const command of ['verify', 'analyze', 'report']) {
      expect((await work.run([command, 'small'])).status, command).toBe(5);
    }
    expect((await work.run(['run', 'small.plan.json'])).status).toBe(5);
    expect((await work.run(['status', 'small'])).stdout).toContain('broken');
  });
});
