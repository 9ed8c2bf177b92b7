import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { folderOfCampaign } from '../../src/campaign/locate.io.ts';
import { findEndFaults } from './check-end.ts';
import { type CrashPrograms, copyRunner } from './compile.ts';
import { makeCrashPlan, type PlanKind } from './plans.ts';
import { listProcessesOf, listRunnersOf, strike, waitUntil } from './processes.ts';
import { type RunningLife, reaches, startLife } from './start-life.ts';
import type { Tally } from './tally.ts';
import { compareWithUndisturbed, readEntries } from './undisturbed.ts';

export interface KillRequest {
  programs: CrashPrograms;
  plan: PlanKind;
  /** At most so many kills; then the campaign is left in peace to its end. */
  kills: number;
  /** From 0 (inclusive) to 1: the choices, though not the moments, are the seed's. */
  random: () => number;
  tally: Tally;
}

const killKinds = ['harness', 'runner', 'both'] as const;

/**
 * Runs one campaign to its end, killed again and again.
 * @returns what is wrong with it, one sentence each
 */
export async function killCampaign(request: KillRequest): Promise<string[]> {
  const { programs, plan, random, tally } = request;
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-crash-'));
  const runner = await copyRunner(programs, folder);
  const ledger = folderOfCampaign('crash', folder).ledger;
  const acknowledged = new Map<number, string>();
  const pace = { plan, repetitionMs: 1, timeLimitSeconds: 20 };
  const life = { ...pace, folder, runner };
  const faults: string[] = [];
  let left = request.kills;
  let runnerKills = 0;
  let isTorn = false;
  for (;;) {
    const running = startLife(life);
    tally.lives += 1;
    while (left > 0) {
      const kind = killKinds[Math.floor(random() * killKinds.length)]!;
      const struck = await strikeAtRandom(running, kind, random, isTorn);
      if (struck === null) break;
      left -= 1;
      if (struck !== 'harness') runnerKills += 1;
      tally.kills[struck] += 1;
      if (struck !== 'runner') break;
    }
    const { status, signal } = await running.ended;
    for (const [seq, sha256] of running.acknowledged) {
      if (acknowledged.has(seq)) faults.push(`line ${seq} was acknowledged twice`);
      acknowledged.set(seq, sha256);
    }
    if (/was taken over/.test(running.stderr())) tally.locksTakenOver += 1;
    if (!(await waitUntil(() => listProcessesOf(runner).length === 0))) {
      faults.push('a runner outlived its harness');
    }
    if (signal === null) {
      if (status !== 0 && status !== 3) {
        faults.push(`a life ended with status ${status}: ${running.stderr()}`);
      }
      break;
    }
    tally.stages[stageOf(ledger)] += 1;
    if (random() < 0.4 && existsSync(ledger)) {
      const text = readFileSync(ledger, 'utf8');
      if (text.endsWith('\n')) {
        appendFileSync(ledger, '{"attempt":0,"deviceAfter":{"otherUs'.slice(0, 1 + random() * 34));
        tally.linesTornByHand += 1;
      }
    }
    isTorn = existsSync(ledger) && !readFileSync(ledger, 'utf8').endsWith('\n');
  }
  if (faults.length === 0) {
    const campaign = { folder, plan: makeCrashPlan(plan), runner, acknowledged };
    faults.push(...(await findEndFaults(campaign)));
    const entries = readFileSync(ledger, 'utf8').split('\n');
    const failed = entries.filter((line) => line.includes('"type":"failed"'));
    const named = failed.filter((line) => line.includes('"signal":"SIGKILL"'));
    if (named.length !== failed.length) faults.push('a trial failed that nobody struck');
    if (failed.length > runnerKills)
      faults.push(`${failed.length} failures of ${runnerKills} kills`);
    tally.failedTrials += failed.length;
    tally.acknowledged += acknowledged.size;
    tally.trials += entries.filter((line) => /"type":"(observed|failed)"/.test(line)).length;
    tally.tornLinesSetAside += entries.filter((line) => line.includes('"tornLine":{')).length;
    tally.campaigns += 1;
    const undisturbed = await compareWithUndisturbed(programs, pace, readEntries(ledger));
    faults.push(...undisturbed.faults);
    tally.undisturbed.campaigns += 1;
    tally.undisturbed.steps += undisturbed.steps;
  }
  if (faults.length === 0) rmSync(folder, { recursive: true });
  else faults.push(`the folder is kept: ${folder}`);
  return faults;
}

/** @returns what was killed; null when the harness ended before */
async function strikeAtRandom(
  { child, waitFor }: RunningLife,
  kind: (typeof killKinds)[number],
  random: () => number,
  isTorn: boolean,
): Promise<(typeof killKinds)[number] | null> {
  const draw = random();
  const stages = ['locking', 'opening', 'opening', 'session'] as const;
  const strikesAside = isTorn && draw < 0.7; // while the torn line is being set aside
  if (strikesAside) await waitFor(reaches('opening'));
  else if (draw < 0.3) await waitFor(reaches(stages[Math.floor(random() * stages.length)]!));
  else if (draw < 0.9) {
    let due = 1 + Math.floor(random() * 8);
    await waitFor((line) => line.startsWith('ack ') && --due <= 0);
  } else await wait(random() * 150);
  const delayMs = strikesAside ? 2 + random() * 12 : random() * 12;
  await wait(delayMs);
  const isGone = () => child.exitCode !== null || child.signalCode !== null;
  const runnersNow = () => listRunnersOf(child.pid!);
  if (kind !== 'harness' && !strikesAside) {
    await waitUntil(() => isGone() || runnersNow().length > 0, 300);
  }
  if (isGone()) return null;
  const isRunnerStruck =
    kind !== 'harness' &&
    runnersNow()
      .map((pid) => strike(pid, 'SIGKILL'))
      .some(Boolean);
  if (kind === 'runner' && isRunnerStruck) return 'runner';
  if (!strike(child.pid, 'SIGKILL')) return isRunnerStruck ? 'runner' : null;
  return isRunnerStruck ? 'both' : 'harness';
}

/** Where a life ended, read off what it left. */
function stageOf(ledger: string): keyof Tally['stages'] {
  if (!existsSync(ledger)) return 'beforeFirstEntry';
  const folder = join(ledger, '..');
  const text = readFileSync(ledger, 'utf8');
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  const names = readdirSync(folder).filter((name) => name.startsWith('ledger.torn-'));
  const isUntold = names.some((name) => !text.includes(`"${name}"`));
  if (isUntold) return 'settingTornLineAside';
  if (rest !== '') return 'withHalfALine';
  const last = lines.at(-1) ?? '';
  if (last.includes('"type":"intended"')) return 'inATrial';
  return last.includes('"type":"end"') ? 'afterTheEnd' : 'between';
}
