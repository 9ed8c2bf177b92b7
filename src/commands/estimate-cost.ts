import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareBackend } from '../backend/prepare-backend.io.ts';
import { runnerArguments } from '../backend/runner-arguments.ts';
import { runnerEnvironment } from '../backend/runner-environment.ts';
import { classifyTrial } from '../campaign/classify.ts';
import { lockPathOf } from '../campaign/lock.io.ts';
import { createProcessRunner } from '../campaign/process-runner.io.ts';
import { nameForLock } from '../device/lock-name.io.ts';
import type { Plan } from '../formats/plan.ts';
import { listGroups } from '../protocol/blocks.ts';
import { buildTrial, repetitionsOf } from '../protocol/build-trial.ts';
import type { PlannedItem } from '../protocol/schedule.ts';
import { cacheFolder } from './cache-folder.ts';
import { checkModels } from './check-models.ts';
import { chooseDevice } from './choose-device.ts';
import type { DiagnoseOptions } from './diagnose-request.ts';
import { holdLock } from './hold-lock.ts';
import type { Progress } from './progress.ts';

/** Of all processes of a plan, from one short process of each condition. Times in ns. */
export interface CostEstimate {
  processes: number;
  repetitions: number;
  /** null where a trial of it failed: why. */
  totalNs: number | null;
  failure: string | null;
}

/** Few enough to be quick; the first is left out. */
const probeRepetitions = 3;
const probeLimitMs = 600_000;

/** What a process takes beside its runner: device reads, starting, the ledger. */
const harnessNs = 20_000_000;

/**
 * Measures one short process of each condition, in no ledger, and counts the rest from that.
 * @throws RooflawError `busy` where the device is in use
 */
export async function estimateCost(
  plan: Plan,
  { files }: { files: readonly string[] },
  { device: wish, backend }: Pick<DiagnoseOptions, 'device' | 'backend'>,
  progress: Progress,
  signal: AbortSignal,
): Promise<CostEstimate> {
  await using cleanup = new AsyncDisposableStack();
  const prepared = await prepareBackend({
    cacheDirectory: cacheFolder(),
    onProgress: (text) => progress.say(text),
    signal,
    ...(backend === undefined ? {} : { directory: backend }),
  });
  const device = chooseDevice(prepared.description, wish);
  const lock = lockPathOf(await nameForLock(device));
  await holdLock(lock, plan.name, `device ${device.name}`, cleanup, progress);
  const models = await checkModels(plan, files, progress, signal);
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-plan-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const runner = createProcessRunner(
    prepared.runnerPath,
    runnerArguments(prepared),
    runnerEnvironment(prepared, process.env),
  );
  const groups = listGroups(plan);
  const { processesPerItem } = plan.protocol;
  const counts = groups.flat().map((item) => {
    const { warmup, kept } = repetitionsOf(plan.protocol, item);
    return warmup + kept;
  });
  const processes = processesPerItem * counts.length;
  const repetitions = processesPerItem * counts.reduce((sum, count) => sum + count, 0);
  let totalNs = 0;
  for (const [index, group] of groups.entries()) {
    progress.show(`a short process of condition ${index + 1} of ${groups.length}`);
    const { variant: _arm, ...first } = group[0]!;
    const path = await models.open(first.model.sha256);
    const trial = {
      ...buildTrial(plan.protocol, first, path, device),
      repetitions: probeRepetitions,
    };
    const record = await runner.run(trial, join(folder, `${index}.log`), probeLimitMs, signal);
    const outcome = classifyTrial(trial, record, probeLimitMs);
    if (outcome.state !== 'observed') {
      progress.done();
      const failure = outcome.state === 'failed' ? outcome.message : 'stopped';
      return { processes, repetitions, totalNs: null, failure };
    }
    const [, ...warm] = outcome.measured.repetitions;
    const warmNs = warm.map(({ wallNs, prepareNs }) => wallNs + prepareNs);
    const repetitionNs = Math.min(...warmNs);
    const startNs = record.processNs - probeRepetitions * repetitionNs;
    for (const item of group)
      totalNs += processesPerItem * costOf(item, plan, startNs, repetitionNs);
  }
  progress.done();
  return { processes, repetitions, totalNs, failure: null };
}

function costOf(item: PlannedItem, plan: Plan, startNs: number, repetitionNs: number): number {
  const { warmup, kept } = repetitionsOf(plan.protocol, item);
  const { treatment, launch } = item.variant ?? {};
  const activityNs = (treatment?.activity?.milliseconds ?? 0) * 1e6;
  const idleNs = (launch?.idleMilliseconds ?? 0) * 1e6;
  return startNs + harnessNs + idleNs + (warmup + kept) * (repetitionNs + activityNs);
}
