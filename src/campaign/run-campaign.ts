import { RooflawError } from '../errors.ts';
import type { DeviceState, FailedEntry, UnchainedEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import type { Launch } from '../formats/treatment.ts';
import type { Trial } from '../formats/trial.ts';
import { buildTrial, type TrialDevice } from '../protocol/build-trial.ts';
import { planRounds, type ScheduledTrial } from '../protocol/schedule.ts';
import { classifyTrial } from './classify.ts';
import { followRule } from './follow-rule.ts';
import { createFolderHider, type KnownPaths } from './hide-folders.ts';
import { tidyLastWords } from './last-words.ts';
import type { CampaignState } from './resume.ts';
import type { ProcessRecord, TrialRunner } from './trial-runner.ts';

/** What a campaign needs from the world. */
export interface CampaignPorts {
  runner: TrialRunner;
  /** The runners of a plan's variants, by their backends' labels. */
  variantRunners?: ReadonlyMap<string, TrialRunner>;
  device: TrialDevice;
  readDeviceState(): Promise<DeviceState>;
  /** Waits as the protocol allows. @returns nanoseconds waited. */
  waitForIdle(): Promise<number>;
  /**
   * What an experiment's arm wants before its process starts: nothing done for a while, another CPU
   * policy. @returns nanoseconds that took, and what puts the policy back
   */
  prepareLaunch?(launch: Launch): Promise<{ tookNs: number; undo(): Promise<void> }>;
  /** Where a model's file lies. @throws when it is not the one that was checked. */
  openModel(sha256: string): Promise<string>;
  /** Where a trial's standard error goes, and what it became. */
  logPath(trial: number, attempt: number): string;
  describeLog(trial: number, attempt: number): Promise<FailedEntry['log']>;
  /** Of the machine, which messages may quote; the model's own path is known anyway. */
  knownPaths?: KnownPaths;
  /** Monotonic clock. */
  nowNs(): bigint;
  /** A clock that goes on while the machine sleeps, as the monotonic one need not; null: there is none. */
  bootClockNs?(): number | null;
  stop: AbortSignal;
}

/**
 * Executes what is left of a plan. *Intended* is yielded before a trial starts and *observed*,
 * *failed* or *interrupted* after it, so whoever writes the entries down loses nothing; a *decision*
 * after each round where the protocol has a stopping rule. The caller asks for the next entry only
 * after it has stored the last and advanced the state by it.
 */
export async function* runCampaign(
  plan: Plan,
  state: CampaignState,
  session: number,
  ports: CampaignPorts,
): AsyncGenerator<UnchainedEntry, void, undefined> {
  if (state.dangling !== null) {
    yield { type: 'interrupted', ...state.dangling, reason: 'harness-died', costNs: null };
  }
  const clock = { accountedUntil: ports.nowNs() };
  const rule = followRule(plan, state);
  for (const round of planRounds(plan)) {
    for (const scheduled of round) {
      if (rule?.leavesOut(scheduled)) continue;
      if (!state.finished.has(scheduled.trial)) {
        yield* measureTrial(plan, scheduled, state, session, ports, clock);
      }
      if (ports.stop.aborted) return;
    }
    const decision = rule?.decide(round);
    if (decision === undefined) continue;
    const isWritten = decision.round <= (state.decision?.round ?? -1);
    if (!isWritten) yield decision;
    if (decision.stop) break;
  }
  yield { type: 'end', observed: state.observed, failed: state.failed };
}

async function* measureTrial(
  plan: Plan,
  scheduled: ScheduledTrial,
  state: CampaignState,
  session: number,
  ports: CampaignPorts,
  clock: { accountedUntil: bigint },
): AsyncGenerator<UnchainedEntry, void, undefined> {
  if (ports.stop.aborted) return;
  const modelPath = await ports.openModel(scheduled.model.sha256);
  const waitedNs = await ports.waitForIdle();
  if (ports.stop.aborted) return;
  const launch = scheduled.variant?.launch;
  const prepared = launch === undefined ? null : await ports.prepareLaunch?.(launch);
  try {
    if (ports.stop.aborted) return;
    const idleWaitNs = waitedNs + (prepared?.tookNs ?? 0);
    yield* measurePrepared(plan, scheduled, idleWaitNs, modelPath, state, session, ports, clock);
  } finally {
    await prepared?.undo();
  }
}

async function* measurePrepared(
  plan: Plan,
  scheduled: ScheduledTrial,
  idleWaitNs: number,
  modelPath: string,
  state: CampaignState,
  session: number,
  ports: CampaignPorts,
  clock: { accountedUntil: bigint },
): AsyncGenerator<UnchainedEntry, void, undefined> {
  const attempt = state.attempts.get(scheduled.trial) ?? 0;
  yield intend(scheduled, attempt, session);

  const trial = buildTrial(plan.protocol, scheduled, modelPath, ports.device);
  const deviceBefore = await ports.readDeviceState();
  const limitMs = plan.protocol.trialTimeLimitSeconds * 1000;
  const awake = watchSleep(ports);
  const ended = await chooseRunner(scheduled, ports).run(
    trial,
    ports.logPath(scheduled.trial, attempt),
    limitMs,
    ports.stop,
    scheduled.variant?.launch,
  );
  const sleptNs = awake.sleptNs();
  const record = endLate(ended, sleptNs, limitMs);
  const stoodStillNs = record.stoodStillNs ?? 0;
  const deviceAfter = markLate(await ports.readDeviceState(), stoodStillNs);
  const log = await ports.describeLog(scheduled.trial, attempt);

  const now = ports.nowNs();
  const elsewhereNs = record.processNs + idleWaitNs + deviceBefore.readNs + deviceAfter.readNs;
  const harnessNs = Math.max(0, Number(now - clock.accountedUntil) - elsewhereNs);
  clock.accountedUntil = now;
  const { whoRan } = record;
  const traced = whoRan === undefined ? {} : { whoRan };
  const around = { deviceBefore, deviceAfter, idleWaitNs, harnessNs, log, ...traced };
  const change = record.endedBy === 'stopped' ? null : await findChange(scheduled, ports);
  if (change !== null) {
    yield interrupt(scheduled.trial, attempt, change.reason, record, around);
    throw change.error;
  }
  const limits = { timeLimitMs: limitMs, known: ports.knownPaths };
  const entry = conclude(scheduled.trial, attempt, trial, record, around, limits);
  if (entry.type === 'observed' && sleptNs > 0) yield failForSleep(entry, sleptNs);
  else yield explainLateEnd(entry, stoodStillNs);
}

/** Shorter than any suspend, longer than the two clocks' steps. */
const shortestSleepNs = 500_000_000;

/** How long the machine slept from now on: what one clock counted and the other did not. */
function watchSleep({ nowNs, bootClockNs = () => null }: CampaignPorts) {
  const read = () => {
    const bootNs = bootClockNs();
    return bootNs === null ? null : bootNs - Number(nowNs());
  };
  const before = read();
  return {
    sleptNs() {
      const after = read();
      const sleptNs = before === null || after === null ? 0 : after - before;
      return sleptNs < shortestSleepNs ? 0 : Math.round(sleptNs);
    },
  };
}

/**
 * A process that ended by itself after its limit: harness and runner stood still together, and the
 * end was seen before the limit's own timer.
 */
function endLate(record: ProcessRecord, sleptNs: number, limitMs: number): ProcessRecord {
  const isLate = record.processNs + sleptNs > limitMs * 1e6;
  const endedItself = record.endedBy === null && record.startError === null;
  return isLate && endedItself ? { ...record, endedBy: 'time-limit' } : record;
}

/**
 * A reading that came late, since the harness stood still while the runner may have gone on: it is of
 * another moment than the trial's end, so that others not seen in it may have been there.
 */
function markLate(state: DeviceState, stoodStillNs: number): DeviceState {
  if (stoodStillNs === 0) return state;
  const otherUse = state.otherUse === 'not-seen' ? 'not-visible' : state.otherUse;
  const readings = { ...state.readings, harnessStoodStillNs: String(stoodStillNs) };
  return { ...state, readings, otherUse };
}

/** Whether a runner kept its limit cannot be told by a harness that did not look. */
function explainLateEnd(entry: UnchainedEntry, stoodStillNs: number): UnchainedEntry {
  if (entry.type !== 'failed' || entry.code !== 'time-limit' || stoodStillNs === 0) return entry;
  const seconds = (stoodStillNs / 1e9).toFixed(1);
  const message = `${entry.message}, as seen by a harness that stood still for ${seconds} s meanwhile`;
  return { ...entry, message };
}

/** What a suspended machine measured is nobody's time, though it was shorter than the limit. */
function failForSleep(
  { type: _type, ...measured }: Extract<UnchainedEntry, { type: 'observed' }>,
  sleptNs: number,
): UnchainedEntry {
  const message = `the machine was suspended for ${(sleptNs / 1e9).toFixed(1)} s during the trial`;
  const end = { exitStatus: 0, signal: null, stderrEnd: '' };
  return { type: 'failed', ...measured, code: 'invalid-time', message, ...end };
}

/**
 * Whether the trial may have measured other files than were checked before it: its times are nobody's,
 * also where looking was stopped.
 */
async function findChange(
  { model }: ScheduledTrial,
  ports: CampaignPorts,
): Promise<{ reason: 'file-changed' | 'stopped-by-user'; error: unknown } | null> {
  try {
    await ports.openModel(model.sha256);
    return null;
  } catch (error) {
    const isStopped = error instanceof RooflawError && error.code === 'interrupted';
    return { reason: isStopped ? 'stopped-by-user' : 'file-changed', error };
  }
}

type Around = Pick<
  FailedEntry,
  'deviceBefore' | 'deviceAfter' | 'idleWaitNs' | 'harnessNs' | 'log' | 'whoRan'
>;

function interrupt(
  trial: number,
  attempt: number,
  reason: 'stopped-by-user' | 'file-changed',
  { processNs }: ProcessRecord,
  { deviceBefore, deviceAfter, idleWaitNs, harnessNs }: Around,
): UnchainedEntry {
  const aroundNs = deviceBefore.readNs + deviceAfter.readNs + idleWaitNs + harnessNs;
  return { type: 'interrupted', trial, attempt, reason, costNs: processNs + aroundNs };
}

function chooseRunner({ backend }: ScheduledTrial, ports: CampaignPorts): TrialRunner {
  if (backend === null) return ports.runner;
  const runner = ports.variantRunners?.get(backend);
  if (runner === undefined) throw new Error(`there is no runner of the backend ${backend}`);
  return runner;
}

function intend(
  { trial, round, position, item, model }: ScheduledTrial,
  attempt: number,
  session: number,
) {
  const modelSha256 = model.sha256;
  return { type: 'intended', trial, attempt, session, round, position, item, modelSha256 } as const;
}

function conclude(
  trial: number,
  attempt: number,
  input: Trial,
  record: ProcessRecord,
  around: Around,
  {
    timeLimitMs,
    known = { files: [], folders: [] },
  }: { timeLimitMs: number; known?: KnownPaths | undefined },
): UnchainedEntry {
  const hide = (text: string) =>
    createFolderHider({ ...known, files: [...known.files, input.modelPath] })(text);
  const lastWords = record.lastWords === null ? null : tidyLastWords(record.lastWords, hide);
  const outcome = classifyTrial(input, { ...record, lastWords }, timeLimitMs);
  const { processNs, exitStatus, signal, stderrEnd } = record;
  if (outcome.state === 'interrupted')
    return interrupt(trial, attempt, 'stopped-by-user', record, around);
  const measured = { trial, attempt, ...outcome.measured, processNs, ...around };
  if (outcome.state === 'observed') return { type: 'observed', ...measured };
  const { code } = outcome;
  const message = hide(outcome.message);
  const end = hide(stderrEnd);
  return { type: 'failed', ...measured, code, message, exitStatus, signal, stderrEnd: end };
}
