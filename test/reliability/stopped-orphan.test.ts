import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { listRunnersOf, stateOf, strike, waitUntil } from '../../scripts/crash/processes.ts';
import { runnerArguments } from '../../src/backend/runner-arguments.ts';
import { runnerEnvironment } from '../../src/backend/runner-environment.ts';
import { createTrial, findRealBackend, writeTinyModel } from '../support/real-backend.ts';

const backend = process.platform === 'linux' ? await findRealBackend() : null;

/** A harness of one trial. usage: node -e HARNESS COMMAND ARGUMENTS ENVIRONMENT TRIAL LOG */
const harness = `
  import { createProcessRunner } from '${new URL('../../src/campaign/process-runner.io.ts', import.meta.url)}';
  const [command, args, environment, trial, log] = JSON.parse(process.argv[1]);
  const runner = createProcessRunner(command, args, environment);
  await runner.run(trial, log, 60_000, new AbortController().signal);
`;

test.skipIf(backend?.state !== 'ready')(
  'a harness that is killed when its trial is asked for and the runner has not begun: nothing is measured',
  async () => {
    if (backend?.state !== 'ready') return;
    const folder = mkdtempSync(join(tmpdir(), 'rooflaw-orphan-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const gate = join(folder, 'gate');
    execFileSync('mkfifo', [gate]);
    const { prepared } = backend;
    const log = join(folder, 'trial.log');
    // holds the runner back where it would start, with the trial in its standard input already
    const script = 'read go < "$1"; shift; exec "$@"';
    const runner = [prepared.runnerPath, ...runnerArguments(prepared)];
    const request = [
      '/bin/sh',
      ['-c', script, 'sh', gate, ...runner],
      { ...runnerEnvironment(prepared, process.env), PATH: process.env.PATH },
      createTrial(await writeTinyModel('Q8_0')),
      log,
    ];
    const args = ['--input-type=module-typescript', '-e', harness, JSON.stringify(request)];
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    expect(await waitUntil(() => listRunnersOf(child.pid!).length > 0)).toBe(true);
    const [pid] = listRunnersOf(child.pid!);
    await wait(300); // the trial is written right after the start
    const ended = new Promise((resolve) => child.once('exit', resolve));
    expect(strike(child.pid, 'SIGKILL')).toBe(true);
    await ended;
    writeFileSync(gate, 'go\n');
    expect(await waitUntil(() => [null, 'Z'].includes(stateOf(pid!)), 20_000)).toBe(true);
    expect(readFileSync(`${log}.out`, 'utf8')).toBe('');
    expect(readFileSync(log, 'utf8')).toBe('');
  },
);
