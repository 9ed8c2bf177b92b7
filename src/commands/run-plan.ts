import { join } from 'node:path';
import type { PreparedBackend } from '../backend/prepared-backend.ts';
import type { Environment } from '../campaign/environment.ts';
import { type CampaignFolder, folderOfCampaign } from '../campaign/locate.io.ts';
import { lockPathOf } from '../campaign/lock.io.ts';
import { removeUnreadOutput } from '../campaign/log-file.io.ts';
import type { CampaignState } from '../campaign/resume.ts';
import { nameForLock } from '../device/lock-name.io.ts';
import { readFingerprint } from '../device/read-fingerprint.io.ts';
import { readSpecimen } from '../device/specimen.io.ts';
import type { Plan } from '../formats/plan.ts';
import { connectCampaign } from './campaign-ports.ts';
import { checkMachine } from './check-machine.ts';
import { checkModels } from './check-models.ts';
import { chooseDevice } from './choose-device.ts';
import { type OnFirstLook, takeFirstLook } from './first-look.ts';
import { explainDiskFailure, holdLock } from './hold-lock.ts';
import { type MeasureHooks, measure } from './measure.ts';
import { makeFolder, openCampaign, startSession } from './open-campaign.ts';
import { undoEarlierLaunch } from './prepare-launch.ts';
import { describeProgram } from './program-version.ts';
import type { Progress } from './progress.ts';
import { refuseCommands } from './refuse-commands.ts';
import { prepareBackends, watchPrograms } from './run-backends.ts';
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
  /** Whether an experiment's arms may start programs and change the CPUs' policy. */
  allowsCommands?: boolean;
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
  if (!options.allowsCommands) refuseCommands(plan);
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

  const takenOver: string[] = [];
  const lock = async (path: string, use: string) => {
    const text = await holdLock(path, folder.name, use, cleanup, progress);
    if (text !== null) takenOver.push(text);
  };
  await lock(lockPathOf(await nameForLock(device)), `device ${device.name}`);
  await checkMachine(plan, prepared.description, progress); // whose load it is, the lock says first
  const models = await checkModels(plan, options.models ?? [], progress, stop.signal);
  const programs = await watchPrograms(backends.map((backend) => backend.prepared));
  makeFolder(folder);
  await lock(folder.lock, `campaign ${folder.name}`);
  await removeUnreadOutput(folder.logs);
  const undone = await undoEarlierLaunch(folder);
  if (undone !== null) progress.say(undone);

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
    const ports = await connectCampaign({
      plan,
      folder,
      device,
      backends,
      programs,
      models,
      givenModels: options.models ?? [],
      stop: stop.signal,
    });
    const { onFirstLook } = options;
    if (onFirstLook !== undefined && opened.state.attempts.size === 0) {
      await takeFirstLook(plan, ports, join(folder.logs, 'first-look.out'), onFirstLook);
    }
    await measure(plan, opened, ports, progress, options);
  }
  return { folder, state: opened.state, stopped: stop.signal.aborted };
}
