import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { PreparedBackend } from '../backend/prepared-backend.ts';
import { runnerArguments } from '../backend/runner-arguments.ts';
import { runnerEnvironment } from '../backend/runner-environment.ts';
import type { CheckedFiles } from '../campaign/checked-files.io.ts';
import type { KnownPaths } from '../campaign/hide-folders.ts';
import type { CampaignFolder } from '../campaign/locate.io.ts';
import { describeLog, logNameOf } from '../campaign/log-file.io.ts';
import { createProcessRunner } from '../campaign/process-runner.io.ts';
import type { CampaignPorts } from '../campaign/run-campaign.ts';
import { createDeviceStateReader } from '../device/device-state.io.ts';
import { createIdleWait } from '../device/wait-for-idle.io.ts';
import type { Plan } from '../formats/plan.ts';
import { readBootClockNs } from './boot-clock.ts';
import { cacheFolder } from './cache-folder.ts';
import type { BackendDevice } from './choose-device.ts';
import { prepareLaunch } from './prepare-launch.ts';
import type { LabelledBackend } from './run-backends.ts';

export interface CampaignWorld {
  plan: Plan;
  folder: CampaignFolder;
  device: BackendDevice;
  /** The first is that of a plan without variants. */
  backends: readonly LabelledBackend[];
  programs: CheckedFiles;
  models: Pick<CheckedFiles, 'open'>;
  /** GGUF files as the command line named them. */
  givenModels: readonly string[];
  stop: AbortSignal;
}

/** What a campaign asks of the machine, as this machine answers. */
export async function connectCampaign(world: CampaignWorld): Promise<CampaignPorts> {
  const { plan, folder, device, backends, programs, models, givenModels, stop } = world;
  const runners = backends.map(({ label, prepared }) => [label, createRunner(prepared)] as const);
  return {
    runner: runners[0]![1],
    variantRunners: new Map(runners),
    device,
    ...(await observeDevice(plan, device, stop)),
    prepareLaunch: (launch) => prepareLaunch(launch, folder, stop),
    openModel: async (sha256) => {
      await programs.openAll();
      return models.open(sha256);
    },
    knownPaths: listKnownPaths(givenModels, folder, backends),
    logPath: (trial, attempt) => join(folder.logs, logNameOf(trial, attempt)),
    describeLog: (trial, attempt) => describeLog(folder.logs, trial, attempt),
    nowNs: () => process.hrtime.bigint(),
    bootClockNs: readBootClockNs,
    stop,
  };
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
  models: readonly string[],
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
