import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { PreparedBackend } from '../backend/prepared-backend.ts';
import { runnerArguments } from '../backend/runner-arguments.ts';
import { runnerEnvironment } from '../backend/runner-environment.ts';
import type { Environment } from '../campaign/environment.ts';
import type { KnownPaths } from '../campaign/hide-folders.ts';
import { type CampaignFolder, folderOfCampaign } from '../campaign/locate.io.ts';
import { lockPathOf } from '../campaign/lock.io.ts';
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
import type { Plan } from '../formats/plan.ts';
import { readBootClockNs } from './boot-clock.ts';
import { cacheFolder } from './cache-folder.ts';
import { checkModels } from './check-models.ts';
import { type BackendDevice, chooseDevice, refuseTooManyThreads } from './choose-device.ts';
import { type OnFirstLook, takeFirstLook } from './first-look.ts';
import { explainDiskFailure, holdLock } from './hold-lock.ts';
import { type MeasureHooks, measure } from './measure.ts';
import { makeFolder, openCampaign, startSession } from './open-campaign.ts';
import { describeProgram } from './program-version.ts';
import type { Progress } from './progress.ts';
import { type LabelledBackend, prepareBackends, watchPrograms } from './run-backends.ts';
import { listenForStop } from './stop-signal.ts';

export interface RunOptions extends MeasureHooks {
  name?: string;
  /** ggml name of the device; without it the only GPU, or the CPU. */
  device?: string;
  /** Folder of a llama.cpp that the user has built; without it the embedded one. */
  backend?: string;
  /** Folders of the backends of a plan's variants, by label; null: the embedded one. */
  backends?: ReadonlyMap<string, string | null>;
  /** GGUF files among which the plan's file models are. */
  models?: readonly string[];
  /** Has a few tokens run before the first trial of all, in no ledger, and hears of them. */
  onFirstLook?: OnFirstLook;
  /** What stands in the campaign's ledger before its first trial, once however often it is resumed. */
  notes?: readonly string[];
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
  try {
    return await runIn(folder, plan, options, progress);
  } catch (error) {
    throw explainDiskFailure(error, `the files of ${folder.folder}`);
  }
}

async function runIn(
  folder: CampaignFolder,
  plan: Plan,
  options: RunOptions,
  progress: Progress,
): Promise<RunResult> {
  await using cleanup = new AsyncDisposableStack();
  const stop = cleanup.use(
    listenForStop('stopping; a trial that was running will be measured again', progress),
  );

  progress.say('looking at llama.cpp and its runner');
  const backends = await prepareBackends(plan, options, progress, stop.signal);
  const [prepared, ...others] = backends.map((backend) => backend.prepared) as [
    PreparedBackend,
    ...PreparedBackend[],
  ];
  const device = chooseDevice(prepared.description, options.device);
  for (const { description } of others) chooseDevice(description, device.name);
  await checkMachine(plan, prepared.description, progress);

  const takenOver: string[] = [];
  const lock = async (path: string, use: string) => {
    const text = await holdLock(path, folder.name, use, cleanup, progress);
    if (text !== null) takenOver.push(text);
  };
  await lock(lockPathOf(await nameForLock(device)), `device ${device.name}`);
  const models = await checkModels(plan, options.models ?? [], progress, stop.signal);
  const programs = await watchPrograms(backends.map((backend) => backend.prepared));
  makeFolder(folder);
  await lock(folder.lock, `campaign ${folder.name}`);
  await removeUnreadOutput(folder.logs);

  const environment: Environment = {
    device: device.name,
    fingerprint: await readFingerprint(device),
    backend: prepared.backend,
    ...(backends.length === 1
      ? {}
      : {
          otherBackends: backends
            .slice(1)
            .map(({ label, prepared: { backend } }) => ({ label, backend })),
        }),
    program: await describeProgram(),
    specimenSha256: await readSpecimen(device),
  };
  const opened = await openCampaign(plan, folder, environment, progress);
  cleanup.defer(() => opened.writer.close().catch(() => {})); // what was promised is synchronised
  // what a crash left is told of, also where nothing is left to measure
  if (opened.state.ended && opened.tornLine !== null)
    await startSession(opened, environment, takenOver);
  if (!opened.state.ended) {
    for (const text of options.notes ?? []) {
      if (!opened.notes.has(text))
        await opened.writer.append({ type: 'note', author: 'rooflaw', text });
    }
    await startSession(opened, environment, takenOver);
    const ports: CampaignPorts = {
      runner: createRunner(prepared),
      variantRunners: new Map(
        backends.map(({ label, prepared: other }) => [label, createRunner(other)]),
      ),
      device,
      ...(await observeDevice(plan, device, stop.signal)),
      openModel: async (sha256) => {
        await programs.openAll();
        return models.open(sha256);
      },
      knownPaths: listKnownPaths(options, folder, backends),
      logPath: (trial, attempt) => join(folder.logs, logNameOf(trial, attempt)),
      describeLog: (trial, attempt) => describeLog(folder.logs, trial, attempt),
      nowNs: () => process.hrtime.bigint(),
      bootClockNs: readBootClockNs,
      stop: stop.signal,
    };
    const { onFirstLook } = options;
    if (onFirstLook !== undefined && opened.state.attempts.size === 0) {
      await takeFirstLook(plan, ports, join(folder.logs, 'first-look.out'), onFirstLook);
    }
    await measure(plan, opened, ports, progress, options);
  }
  return { folder, state: opened.state, stopped: stop.signal.aborted };
}

/** Threads that the machine has not are refused; what else disturbs measuring is said. */
async function checkMachine(
  plan: Plan,
  description: PreparedBackend['description'],
  progress: Progress,
): Promise<void> {
  const machine = await readMachine();
  const quota = typeof machine.cpuQuota === 'number' ? machine.cpuQuota : null;
  const executions = plan.variants ?? [
    { ...plan.protocol, name: `protocol ${plan.protocol.name}` },
  ];
  for (const { name, execution } of executions) {
    refuseTooManyThreads(name, execution, description, quota);
  }
  const threads = Math.max(...executions.map(({ execution }) => execution.threads));
  for (const { what, state, seen } of diagnose(machine, threads)) {
    const isLoad = what === 'other load' || / use$/.test(what);
    if (isLoad && state === 'warning')
      progress.say(`CAREFUL, ${what}: ${seen} (\`rooflaw doctor\` says more)`);
  }
}

function createRunner(prepared: PreparedBackend) {
  return createProcessRunner(
    prepared.runnerPath,
    runnerArguments(prepared),
    runnerEnvironment(prepared, process.env),
  );
}

/** What messages of a runner may quote. */
function listKnownPaths(
  { models = [] }: RunOptions,
  { logs }: CampaignFolder,
  backends: readonly LabelledBackend[],
): KnownPaths {
  const programs = backends.flatMap(({ prepared: { runnerPath, libraryDirectory } }) => [
    dirname(runnerPath),
    libraryDirectory,
  ]);
  const folders = [...programs, logs, cacheFolder(), homedir(), process.cwd(), tmpdir()];
  return {
    files: models.flatMap((file) => [file, resolve(file)]),
    folders: folders.map((path) => resolve(path)),
  };
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
