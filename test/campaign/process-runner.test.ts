import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { classifyTrial } from '../../src/campaign/classify.ts';
import { createProcessRunner } from '../../src/campaign/process-runner.io.ts';
import { buildTrial } from '../../src/protocol/build-trial.ts';
import { planTrials } from '../../src/protocol/schedule.ts';
import { smallPlan } from '../support/small-plan.ts';

const folder = mkdtempSync(join(tmpdir(), 'rooflaw-runner-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let runs = 0;
let logPath = '';
const fakeProcess = fileURLToPath(new URL('../support/fake-runner-process.mjs', import.meta.url));

function nextLog(): string {
  runs += 1;
  return join(folder, `${runs}.log`);
}

const plan = smallPlan();
const trial = buildTrial(plan.protocol, planTrials(plan)[0]!, '/nowhere.gguf', {
  name: 'CPU',
  type: 'cpu',
});

async function runWith(fault: string, timeLimitMs = 20_000, stop = new AbortController().signal) {
  logPath = nextLog();
  const runner = createProcessRunner(process.execPath, [fakeProcess, fault], {});
  const record = await runner.run(trial, logPath, timeLimitMs, stop);
  const outcome = classifyTrial(trial, record);
  return { record, outcome, code: outcome.state === 'failed' ? outcome.code : outcome.state };
}

test('a sound process is observed, with every repetition it printed', async () => {
  const { outcome } = await runWith('none');
  expect(outcome.state).toBe('observed');
  expect(outcome.measured.repetitions).toEqual(
    Array.from({ length: 3 }, () => ({ wallNs: 1_000_000, prepareNs: 10 })),
  );
});

test.each([
  ['exits-early', 'exit-status'],
  ['crashes', 'signal'],
  ['floods', 'bad-output'],
  ['garbage', 'bad-output'],
  ['no-memory', 'out-of-memory'],
  ['too-few', 'wrong-repetition-count'],
  ['zero-time', 'invalid-time'],
  ['negative-time', 'bad-output'],
  ['too-long-time', 'invalid-time'],
])('a process that %s is a failure called %s', async (fault, code) => {
  expect((await runWith(fault)).code).toBe(code);
});

test('a process that aborts says why, though a long trace follows', async () => {
  const { record, outcome } = await runWith('asserts');
  expect(record.stderrEnd).not.toContain('GGML_ASSERT');
  expect(outcome).toMatchObject({
    code: 'signal',
    message:
      'ended by SIGABRT: /home/someone/llama.cpp/ggml/src/ggml.c:3100: GGML_ASSERT(ne == 1) failed',
  });
});

test('a process that hangs is ended at the time limit, and what it said is kept', async () => {
  const { code, outcome } = await runWith('hangs', 1500);
  expect(code).toBe('time-limit');
  expect(outcome.measured.repetitions).toHaveLength(1);
});

test('a child that would outlive the process is ended with it', async () => {
  const { outcome } = await runWith('leaves-a-child');
  expect(outcome).toMatchObject({
    code: 'exit-status',
    message: expect.stringMatching(/left process \d+ \(.+\) running, ended now$/),
  });
  const child = Number(/child (\d+)/.exec(readFileSync(logPath, 'utf8'))?.[1]);
  expect(child).toBeGreaterThan(1);
  await expect
    .poll(
      () => readFileSync(`/proc/${child}/stat`, { encoding: 'utf8', flag: 'r' }).split(' ')[2],
      {
        timeout: 5000,
      },
    )
    .toBe('Z')
    .catch((error: unknown) => {
      if (!String(error).includes('ENOENT')) throw error; // gone altogether: just as good
    });
});

test('a stop ends the process and is no failure', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 500);
  expect((await runWith('hangs', 20_000, controller.signal)).code).toBe('interrupted');
});

test('a program that cannot be started is a failure that says so', async () => {
  const runner = createProcessRunner(join(folder, 'missing'), [], {});
  const record = await runner.run(trial, nextLog(), 1000, new AbortController().signal);
  expect(classifyTrial(trial, record)).toMatchObject({ state: 'failed', code: 'not-started' });
});

test('the process sees only the environment it is given', async () => {
  process.env.ROOFLAW_TEST_SECRET = 'hidden';
  const script = 'process.stderr.write(String(process.env.ROOFLAW_TEST_SECRET))';
  const runner = createProcessRunner(process.execPath, ['-e', script], {});
  const record = await runner.run(trial, nextLog(), 10_000, new AbortController().signal);
  delete process.env.ROOFLAW_TEST_SECRET;
  expect(record.stderrEnd).toBe('undefined');
});

test('a log that is there already shows that the ledger was cut, and is not written over', async () => {
  const path = nextLog();
  writeFileSync(path, 'evidence');
  const runner = createProcessRunner(process.execPath, [fakeProcess, 'none'], {});
  await expect(runner.run(trial, path, 1000, new AbortController().signal)).rejects.toMatchObject({
    code: 'ledger-broken',
  });
  expect(readFileSync(path, 'utf8')).toBe('evidence');
});

test('nothing but the log is left of a trial', async () => {
  await runWith('none');
  expect(readdirSync(folder).filter((name) => !name.endsWith('.log'))).toEqual([]);
});
