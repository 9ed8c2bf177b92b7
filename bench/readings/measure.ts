/** Trials in fresh processes, started as a campaign starts them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PreparedBackend } from '../../src/backend/prepared-backend.ts';
import { runnerArguments } from '../../src/backend/runner-arguments.ts';
import { runnerEnvironment } from '../../src/backend/runner-environment.ts';
import { createProcessRunner } from '../../src/campaign/process-runner.io.ts';
import { runnerLineSchema, type Trial } from '../../src/formats/trial.ts';

/** For one process, which takes a second. */
const timeLimitMs = 120_000;

/** @returns what measures one trial: wall times of its repetitions in ns; throws when it fails */
export function createMeasure(prepared: PreparedBackend): (trial: Trial) => Promise<number[]> {
  const logs = mkdtempSync(join(tmpdir(), 'rooflaw-readings-logs-'));
  process.on('exit', () => rmSync(logs, { recursive: true, force: true }));
  const runner = createProcessRunner(
    prepared.runnerPath,
    runnerArguments(prepared),
    runnerEnvironment(prepared, process.env),
  );
  let started = 0;
  return async (trial) => {
    started += 1;
    const log = join(logs, `${started}.log`);
    const record = await runner.run(trial, log, timeLimitMs, new AbortController().signal);
    const lines = record.lines.map((line) => runnerLineSchema.parse(JSON.parse(line)));
    if (lines.at(-1)?.type !== 'end') throw new Error(record.lines.at(-1) ?? record.stderrEnd);
    return lines.flatMap((line) => (line.type === 'repetition' ? [line.wallNs] : []));
  };
}
