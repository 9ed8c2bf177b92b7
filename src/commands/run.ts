import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { prepareBackend } from '../backend/prepare-backend.io.ts';
import type { PreparedBackend } from '../backend/prepared-backend.ts';
import { runnerArguments } from '../backend/runner-arguments.ts';
import { runnerEnvironment } from '../backend/runner-environment.ts';
import { createCheckedFiles } from '../campaign/checked-files.io.ts';
import type { Environment } from '../campaign/environment.ts';
import { type CampaignFolder, folderOfCampaign } from '../campaign/locate.io.ts';
import { lockPathOf, takeLock } from '../campaign/lock.io.ts';
import { describeLog, logNameOf, removeUnreadOutput } from '../campaign/log-file.io.ts';
import { createProcessRunner } from '../campaign/process-runner.io.ts';
import type { CampaignState } from '../campaign/resume.ts';
import type { CampaignPorts } from '../campaign/run-campaign.ts';
import { createDeviceStateReader } from '../device/device-state.io.ts';
import { diagnose } from '../device/diagnose.ts';
import { nameForLock } from '../device/lock-name.io.ts';
import { readMachine } from '../device/machine-readings.io.ts';
import { readFingerprint } from '../device/read-fingerprint.io.ts';
import { readSpecimen } from '../device/specimen.io.ts';
import { createIdleWait } from '../device/wait-for-idle.io.ts';
import { exitStatus, RooflawError } from '../errors.ts';
import type { Plan } from '../formats/plan.ts';
import { parsePlan } from '../protocol/parse-plan.ts';
import { formatCount } from '../units.ts';
import { cacheFolder } from './cache-folder.ts';
import { checkModels } from './check-models.ts';
import { type BackendDevice, chooseDevice, refuseTooManyThreads } from './choose-device.ts';
import { countDecided } from './count-decided.ts';
import { measure } from './measure.ts';
import { makeFolder, openCampaign, startSession } from './open-campaign.ts';
import { describeProgram } from './program-version.ts';
import { createProgress, type Progress } from './progress.ts';
import { listenForStop } from './stop-signal.ts';

export interface RunOptions {
  name?: string;
  /** ggml name of the device; without it the only GPU, or the CPU. */
  device?: string;
  /** Folder of a llama.cpp that the user has built; without it the embedded one. */
  backend?: string;
}

export interface RunResult {
  folder: CampaignFolder;
  state: CampaignState;
  stopped: boolean;
}

/** Measures what is left of a plan into its campaign's ledger. */
export async function runPlan(
  plan: Plan,
  options: RunOptions,
  progress: Progress,
): Promise<RunResult> {
  const folder = folderOfCampaign(options.name ?? plan.name);
  await using cleanup = new AsyncDisposableStack();
  const stop = cleanup.use(
    listenForStop('stopping; a trial that was running will be measured again', progress),
  );

  progress.say('looking at llama.cpp and its runner');
  const prepared = await prepareBackend({
    cacheDirectory: cacheFolder(),
    onProgress: (text) => progress.say(text),
    signal: stop.signal,
    ...(options.backend === undefined ? {} : { directory: options.backend }),
  });
  const device = chooseDevice(prepared.description, options.device);
  const machine = await readMachine();
  const quota = typeof machine.cpuQuota === 'number' ? machine.cpuQuota : null;
  refuseTooManyThreads(plan.protocol, prepared.description, quota);
  for (const { what, state, seen } of diagnose(machine, plan.protocol.execution.threads)) {
    const isLoad = what === 'other load' || / use$/.test(what);
    if (isLoad && state === 'warning')
      progress.say(`CAREFUL, ${what}: ${seen} (\`rooflaw doctor\` says more)`);
  }

  const lock = async (path: string, use: string) => {
    const { takenOver, release } = await takeLock(path, folder.name, use);
    cleanup.defer(release);
    if (takenOver !== null) progress.say(takenOver);
  };
  await lock(lockPathOf(await nameForLock(device)), `device ${device.name}`);
  const models = await checkModels(plan, progress, stop.signal);
  const programs = await watchPrograms(prepared);
  makeFolder(folder);
  await lock(folder.lock, `campaign ${folder.name}`);
  await removeUnreadOutput(folder.logs);

  const environment: Environment = {
    device: device.name,
    fingerprint: await readFingerprint(device),
    backend: prepared.backend,
    program: await describeProgram(),
    specimenSha256: await readSpecimen(device),
  };
  const opened = await openCampaign(plan, folder, environment, progress);
  cleanup.defer(() => opened.writer.close());
  if (!opened.state.ended) {
    await startSession(opened, environment);
    const ports: CampaignPorts = {
      runner: createProcessRunner(
        prepared.runnerPath,
        runnerArguments(prepared),
        runnerEnvironment(prepared, process.env),
      ),
      device,
      ...(await observeDevice(plan, device, stop.signal)),
      openModel: async (sha256) => {
        await programs.openAll();
        return models.open(sha256);
      },
      logPath: (trial, attempt) => join(folder.logs, logNameOf(trial, attempt)),
      describeLog: (trial, attempt) => describeLog(folder.logs, trial, attempt),
      nowNs: () => process.hrtime.bigint(),
      stop: stop.signal,
    };
    await measure(plan, opened, ports, progress);
  }
  return { folder, state: opened.state, stopped: stop.signal.aborted };
}

/** The runner and every library, so that none is exchanged while the campaign runs. */
async function watchPrograms({ backend, runnerPath, libraryDirectory }: PreparedBackend) {
  const programs = createCheckedFiles();
  await programs.add(backend.runner.sha256, runnerPath);
  for (const { name, sha256 } of backend.libraries) {
    await programs.add(sha256, join(libraryDirectory, name));
  }
  return programs;
}

async function observeDevice(plan: Plan, device: BackendDevice, signal: AbortSignal) {
  const { observation, idleWait } = plan.protocol;
  const reader = await createDeviceStateReader(device);
  const nothing = { source: 'none', readNs: 0, readings: {}, otherUse: 'not-visible' } as const;
  return {
    readDeviceState: async () => (observation.deviceState === 'none' ? nothing : reader.read()),
    waitForIdle: createIdleWait(device, idleWait, signal),
  };
}

/** Says how it went and sets the exit status. */
export function concludeRun({ folder, state, stopped }: RunResult, progress: Progress): void {
  const failures = state.failed === 0 ? '' : `, ${state.failed} failed`;
  progress.say(`${folder.ledger}: ${state.observed} trials observed${failures}`);
  const { decision } = state;
  if (decision !== null && state.ended) {
    const rounds = `${formatCount(decision.round + 1, 'round')}: ${countDecided(decision)}`;
    progress.say(decision.stop ? `stopped by the rule after ${rounds}` : rounds);
  }
  if (stopped && !state.ended) {
    progress.say('stopped before the end; the same command resumes');
    process.exitCode = exitStatus.interrupted;
  } else if (state.failed > 0) {
    process.exitCode = exitStatus.trialsFailed;
  }
}

/** Reads a plan file. @throws RooflawError `not-found` or `invalid-input` with all faults. */
export function readPlan(path: string): Plan {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new RooflawError(
      'not-found',
      `cannot read the plan ${path}: ${(cause as Error).message}`,
      {
        hint: '`rooflaw plan --space … --protocol … --out FILE` makes one',
        cause,
      },
    );
  }
  return parsePlan(text, `plan ${path}`);
}

export function registerRun(program: Command): void {
  program
    .command('run')
    .description(
      'Measure a plan into campaigns/NAME; run it again to resume after a stop or crash.',
    )
    .argument('<plan>', 'file made by `rooflaw plan`')
    .option('--name <name>', 'name of the campaign (default: the plan’s name)')
    .option('--device <name>', 'device to measure (default: the only GPU, or the CPU)')
    .option('--backend <folder>', 'folder with the libraries of a llama.cpp you have built')
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw run pilot.plan.json

Exit status: 0 complete, 2 invalid plan, 3 complete but some trials failed, 4 the machine lacks
something, 5 a model or ledger is not what its hash says, 6 device in use, 130 stopped`,
    )
    .action(async (path: string, options: RunOptions) => {
      const progress = createProgress();
      const result = await runPlan(readPlan(path), options, progress);
      concludeRun(result, progress);
      if (!result.stopped) progress.say(`next: rooflaw analyze ${result.folder.name}`);
    });
}
