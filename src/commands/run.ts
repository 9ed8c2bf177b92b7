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
import { exitStatus, RooflawError, throwFaults } from '../errors.ts';
import type { Item } from '../formats/architecture.ts';
import type { Plan } from '../formats/plan.ts';
import { runnerLineSchema } from '../formats/trial.ts';
import { parsePlan } from '../protocol/parse-plan.ts';
import { planTrials } from '../protocol/schedule.ts';
import { formatCount } from '../units.ts';
import { cacheFolder } from './cache-folder.ts';
import { checkModels } from './check-models.ts';
import { type BackendDevice, chooseDevice, refuseTooManyThreads } from './choose-device.ts';
import { countDecided } from './count-decided.ts';
import { measure, type OnObserved } from './measure.ts';
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
  /** Folders of the backends of a plan's variants, by label; null: the embedded one. */
  backends?: ReadonlyMap<string, string | null>;
  /** GGUF files among which the plan's file models are. */
  models?: readonly string[];
  onObserved?: OnObserved;
  /** Hears of the first repetition as it is done; not for a campaign that counts, since looking disturbs it. */
  onFirstRepetition?: (item: Item, wallNs: number) => void;
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
  const backends = await prepareBackends(plan, options, progress, stop.signal);
  const [prepared, ...others] = backends.map((backend) => backend.prepared) as [
    PreparedBackend,
    ...PreparedBackend[],
  ];
  const device = chooseDevice(prepared.description, options.device);
  for (const { description } of others) chooseDevice(description, device.name);
  const machine = await readMachine();
  const quota = typeof machine.cpuQuota === 'number' ? machine.cpuQuota : null;
  const executions = plan.variants ?? [
    { ...plan.protocol, name: `protocol ${plan.protocol.name}` },
  ];
  for (const { name, execution } of executions) {
    refuseTooManyThreads(name, execution, prepared.description, quota);
  }
  const threads = Math.max(...executions.map(({ execution }) => execution.threads));
  for (const { what, state, seen } of diagnose(machine, threads)) {
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
  cleanup.defer(() => opened.writer.close());
  if (!opened.state.ended) {
    await startSession(opened, environment);
    const onFirstLines = watchFirst(plan, options);
    const ports: CampaignPorts = {
      runner: startRunner(prepared, onFirstLines),
      variantRunners: new Map(
        backends.map(({ label, prepared: other }) => [label, startRunner(other, onFirstLines)]),
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
    await measure(plan, opened, ports, progress, options.onObserved);
  }
  return { folder, state: opened.state, stopped: stop.signal.aborted };
}

interface LabelledBackend {
  label: string;
  prepared: PreparedBackend;
}

/** The backends of a plan's variants in their order, each once; of a plan without, the one. */
async function prepareBackends(
  plan: Plan,
  { backend, backends }: RunOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<LabelledBackend[]> {
  const labels = [...new Set(plan.variants?.map((variant) => variant.backend))];
  const folders = new Map(backends ?? [['embedded', null]]);
  const wanted =
    labels.length === 0
      ? [{ label: 'embedded', folder: backend ?? null }]
      : labels.map((label) => ({ label, folder: folders.get(label) }));
  const missing = wanted.filter(({ folder }) => folder === undefined);
  if (missing.length > 0) {
    throw new RooflawError('no-backend', 'folders of the plan’s backends are not given', {
      faults: missing.map(({ label }) => ({ where: label, what: 'no folder' })),
      hint: 'name them: --backend LABEL=FOLDER, once for each',
    });
  }
  const prepared: LabelledBackend[] = [];
  for (const { label, folder } of wanted) {
    const request = {
      cacheDirectory: cacheFolder(),
      onProgress: (text: string) => progress.say(text),
      signal,
      ...(typeof folder === 'string' ? { directory: folder } : {}),
    };
    prepared.push({ label, prepared: await prepareBackend(request) });
  }
  return prepared;
}

/** Tells of the first repetition of a campaign's first trial. */
function watchFirst(plan: Plan, { onFirstRepetition }: RunOptions) {
  if (onFirstRepetition === undefined) return undefined;
  const { item } = planTrials(plan)[0]!;
  let isTold = false;
  return (lines: readonly string[]) => {
    const repetition = lines
      .map((line) => runnerLineSchema.safeParse(JSON.parse(line)).data)
      .find((line) => line?.type === 'repetition');
    if (isTold || repetition === undefined) return;
    isTold = true;
    onFirstRepetition(item, repetition.wallNs);
  };
}

function startRunner(prepared: PreparedBackend, onFirstLines?: (lines: readonly string[]) => void) {
  return createProcessRunner(
    prepared.runnerPath,
    runnerArguments(prepared),
    runnerEnvironment(prepared, process.env),
    onFirstLines,
  );
}

/** Runners and libraries, so that none is exchanged while the campaign runs. */
async function watchPrograms(backends: readonly PreparedBackend[]) {
  const programs = createCheckedFiles();
  for (const { backend, runnerPath, libraryDirectory } of backends) {
    await programs.add(backend.runner.sha256, runnerPath);
    for (const { name, sha256 } of backend.libraries) {
      await programs.add(sha256, join(libraryDirectory, name));
    }
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

/** Says how it went and sets the exit status. @param howToResume where another command does it */
export function concludeRun(
  { folder, state, stopped }: RunResult,
  progress: Progress,
  howToResume = 'the same command resumes',
): void {
  const failures = state.failed === 0 ? '' : `, ${state.failed} failed`;
  progress.say(`${folder.ledger}: ${state.observed} trials observed${failures}`);
  const { decision } = state;
  if (decision !== null && state.ended) {
    const rounds = `${formatCount(decision.round + 1, 'round')}: ${countDecided(decision)}`;
    progress.say(decision.stop ? `stopped by the rule after ${rounds}` : rounds);
  }
  if (stopped && !state.ended) {
    progress.say(`stopped before the end; ${howToResume}`);
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
    .option(
      '--backend <folder>',
      'folder with the libraries of a llama.cpp you have built; LABEL=FOLDER for a plan with variants, once for each',
      collect,
    )
    .option('--model <file>', 'a GGUF file that the plan measures; may be repeated', collect)
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw run pilot.plan.json

Exit status: 0 complete, 2 invalid plan, 3 complete but some trials failed, 4 the machine lacks
something, 5 a model or ledger is not what its hash says, 6 device in use, 130 stopped`,
    )
    .action(async (path: string, options: RunFlags) => {
      const progress = createProgress();
      const plan = readPlan(path);
      const result = await runPlan(plan, readFlags(plan, options), progress);
      concludeRun(result, progress);
      if (!result.stopped) progress.say(`next: rooflaw analyze ${result.folder.name}`);
    });
}

interface RunFlags extends Pick<RunOptions, 'name' | 'device'> {
  backend?: string[];
  model?: string[];
}

const collect = (text: string, earlier: string[] = []) => [...earlier, text];

/** @throws RooflawError `invalid-input` with what is wrong about --backend */
function readFlags(plan: Plan, { backend = [], model = [], ...options }: RunFlags): RunOptions {
  if (plan.variants === undefined) {
    if (backend.length > 1) {
      throw new RooflawError('invalid-input', 'the plan has one backend, --backend names several', {
        hint: 'give one folder',
      });
    }
    return {
      ...options,
      models: model,
      ...(backend[0] === undefined ? {} : { backend: backend[0] }),
    };
  }
  const labels = new Set(plan.variants.map((variant) => variant.backend));
  const folders = new Map<string, string | null>([['embedded', null]]);
  const given = new Set<string>();
  const faults = backend.flatMap((text) => {
    const [, label, folder] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (label === undefined || folder === undefined || !labels.has(label)) {
      const what = 'is not LABEL=FOLDER of a backend of the plan';
      return [{ where: `--backend ${text}`, what, hint: `labels: ${[...labels].join(', ')}` }];
    }
    if (given.has(label)) return [{ where: `--backend ${text}`, what: `${label} stands twice` }];
    given.add(label);
    folders.set(label, folder);
    return [];
  });
  throwFaults('the options', faults);
  return { ...options, models: model, backends: folders };
}
