import { basename, join } from 'node:path';
import { runnerEnvironment } from '../../src/backend/runner-environment.ts';
import { folderOfCampaign } from '../../src/campaign/locate.io.ts';
import { lockPathOf } from '../../src/campaign/lock.io.ts';
import { describeLog, logNameOf, removeUnreadOutput } from '../../src/campaign/log-file.io.ts';
import { createProcessRunner } from '../../src/campaign/process-runner.io.ts';
import type { TrialRunner } from '../../src/campaign/trial-runner.ts';
import { readBootClockNs } from '../../src/commands/boot-clock.ts';
import { explainDiskFailure, holdLock } from '../../src/commands/hold-lock.ts';
import { measure } from '../../src/commands/measure.ts';
import { makeFolder, openCampaign, startSession } from '../../src/commands/open-campaign.ts';
import type { Progress } from '../../src/commands/progress.ts';
import { listenForStop } from '../../src/commands/stop-signal.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import { fakeEnvironment } from '../../test/support/fake-environment.ts';
import { makeCrashPlan, type PlanKind } from './plans.ts';

export interface Life {
  /** Where the campaign `crash` and its locks lie. */
  folder: string;
  plan: PlanKind;
  runner: string;
  repetitionMs: number;
  timeLimitSeconds: number;
  /** Trials whose runner ends by a SIGKILL of its own. */
  failing?: readonly number[];
  /** What the runner's environment holds besides, such as LD_PRELOAD. */
  runnerEnvironment?: Readonly<Record<string, string>>;
}

/** What the harness is about to do, for whoever wants to strike then. */
export type Stage = 'locking' | 'opening' | 'session' | 'measuring' | 'closing';

export interface Witness {
  /** The entry is promised. */
  acknowledge(entry: LedgerEntry): void;
  reach(stage: Stage): void;
}

const quiet = { source: 'none', readNs: 0, readings: {}, otherUse: 'not-visible' } as const;

/**
 * Runs or resumes a campaign as `run-plan.ts` does from its locks on; only the backend, the models
 * and the device are made up.
 */
export async function liveOnce(life: Life, progress: Progress, witness: Witness): Promise<LifeEnd> {
  try {
    return await live(life, progress, witness);
  } catch (error) {
    throw explainDiskFailure(error, `the files of ${life.folder}`);
  }
}

interface LifeEnd {
  stopped: boolean;
  failed: number;
  ended: boolean;
}

async function live(life: Life, progress: Progress, witness: Witness): Promise<LifeEnd> {
  const { folder: parent, plan: kind, timeLimitSeconds } = life;
  const plan = makeCrashPlan(kind, timeLimitSeconds);
  const folder = folderOfCampaign('crash', parent);
  await using cleanup = new AsyncDisposableStack();
  const stop = cleanup.use(listenForStop('stopping', progress));
  const takenOver: string[] = [];
  const lock = async (path: string, use: string) => {
    const text = await holdLock(path, folder.name, use, cleanup, progress);
    if (text !== null) takenOver.push(text);
  };
  witness.reach('locking');
  await lock(lockPathOf('crash'), 'device crash');
  makeFolder(folder);
  await lock(folder.lock, `campaign ${folder.name}`);
  await removeUnreadOutput(folder.logs);

  witness.reach('opening');
  const opened = await openCampaign(plan, folder, fakeEnvironment, progress);
  cleanup.defer(() => opened.writer.close().catch(() => {}));
  const append: typeof opened.writer.append = async (unchained) => {
    const entry = await opened.writer.append(unchained);
    witness.acknowledge(entry);
    return entry;
  };
  const witnessed = { ...opened, writer: { append, close: () => opened.writer.close() } };
  if (opened.state.ended && opened.tornLine !== null) {
    await startSession(witnessed, fakeEnvironment, takenOver);
  }
  if (!opened.state.ended) {
    witness.reach('session');
    await startSession(witnessed, fakeEnvironment, takenOver);
    witness.reach('measuring');
    await measure(
      plan,
      witnessed,
      {
        runner: createFastRunner(life),
        device: { name: 'CPU', type: 'cpu' },
        readDeviceState: async () => quiet,
        waitForIdle: async () => 0,
        openModel: async (sha256) => `/models/${sha256}`,
        logPath: (trial, attempt) => join(folder.logs, logNameOf(trial, attempt)),
        describeLog: (trial, attempt) => describeLog(folder.logs, trial, attempt),
        nowNs: () => process.hrtime.bigint(),
        bootClockNs: readBootClockNs,
        stop: stop.signal,
      },
      progress,
    );
  }
  witness.reach('closing');
  const { failed, ended } = opened.state;
  return { stopped: stop.signal.aborted, failed, ended };
}

/** A runner for each trial, since only some of them fail. */
function createFastRunner(life: Life): TrialRunner {
  const environment = {
    ...runnerEnvironment({ libraryDirectory: '/nowhere' }, process.env),
    ...life.runnerEnvironment,
  };
  const failing = new Set(life.failing?.map((trial) => logNameOf(trial, 0)));
  return {
    run(trial, logPath, ...rest) {
      const end = failing.has(basename(logPath)) ? ['killed'] : [];
      const args = [String(life.repetitionMs), ...end];
      return createProcessRunner(life.runner, args, environment).run(trial, logPath, ...rest);
    },
  };
}
