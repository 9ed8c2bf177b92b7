import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderOfCampaign } from '../../src/campaign/locate.io.ts';
import { describeLog, logNameOf } from '../../src/campaign/log-file.io.ts';
import { createProcessRunner } from '../../src/campaign/process-runner.io.ts';
import type { CampaignPorts } from '../../src/campaign/run-campaign.ts';
import { concludeRun } from '../../src/commands/conclude-run.ts';
import { measure } from '../../src/commands/measure.ts';
import { makeFolder, openCampaign, startSession } from '../../src/commands/open-campaign.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { fakeEnvironment } from './fake-environment.ts';
import { fakePorts } from './fake-ports.ts';
import { type Finished, finish } from './rooflaw.ts';

const program = fileURLToPath(new URL('../../bin/rooflaw.js', import.meta.url));
export const fakeProcess = fileURLToPath(new URL('./fake-runner-process.mjs', import.meta.url));

/** A sound trial in a real process, that takes the given time before it measures. */
export const createSlowRunner = (seconds: number) => {
  const script = `sleep ${seconds}; exec "$0" "$@"`;
  return createProcessRunner('/bin/sh', ['-c', script, process.execPath, fakeProcess, 'none'], {});
};

export interface MeasuredCampaign {
  root: string;
  /** The program where it knows the campaign by its plan's name. */
  rooflaw(...args: readonly string[]): Promise<Finished>;
  logs: string;
  entries: LedgerEntry[];
  exit: typeof process.exitCode;
  remove(): void;
}

/** A whole campaign in a folder of its own; `ports` says what of its world is not made up. */
export async function measureCampaign(
  plan: Plan,
  ports: Partial<CampaignPorts>,
): Promise<MeasuredCampaign> {
  const root = mkdtempSync(join(tmpdir(), 'rooflaw-campaign-'));
  const folder = folderOfCampaign(plan.name, join(root, 'campaigns'));
  makeFolder(folder);
  const progress = { say: () => {}, show: () => {}, done: () => {} };
  const opened = await openCampaign(plan, folder, fakeEnvironment, progress);
  await startSession(opened, fakeEnvironment);
  const world = fakePorts({
    logPath: (trial, attempt) => join(folder.logs, logNameOf(trial, attempt)),
    describeLog: (trial, attempt) => describeLog(folder.logs, trial, attempt),
    nowNs: () => process.hrtime.bigint(),
    ...ports,
  });
  await measure(plan, opened, world, progress);
  await opened.writer.close();
  concludeRun({ folder, state: opened.state, stopped: false }, progress);
  const exit = process.exitCode;
  process.exitCode = undefined;
  const lines = readFileSync(folder.ledger, 'utf8').trimEnd().split('\n');
  return {
    root,
    rooflaw: (...args) => finish(spawn(process.execPath, [program, ...args], { cwd: root })),
    logs: folder.logs,
    entries: lines.map((line) => JSON.parse(line)),
    exit,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
