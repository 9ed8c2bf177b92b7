import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { folderOfCampaign } from '../../src/campaign/locate.io.ts';
import { canonicalJson, sha256Hex } from '../../src/hash.ts';
import { findEndFaults } from './check-end.ts';
import { type CrashPrograms, copyRunner } from './compile.ts';
import { type Life, liveOnce } from './live.ts';
import { makeCrashPlan, type PlanKind } from './plans.ts';
import { startLife } from './start-life.ts';

export const diskModes = ['ENOSPC', 'EIO', 'EIO-ONCE', 'SHORT', 'EIO-READ'] as const;
export type DiskMode = (typeof diskModes)[number];

/** One call about a campaign's files, as the library saw it. */
export interface FileCall {
  /** From 1; 0: an acknowledgement. */
  number: number;
  call: string;
  path: string;
  result: 'passed' | 'failed' | 'short';
}

export interface BrokenRun {
  /** Whether the run came as far as the call that fails. */
  isReached: boolean;
  status: number | null;
  stderr: string;
  calls: FileCall[];
  /** What is wrong with how it ended, or with the campaign after it was resumed. */
  faults: string[];
}

/** Statuses of README and help for what a disk can do; 3: some trials failed. */
const documented = [0, 3, 4, 5, 6];

/**
 * A campaign that was killed in its second trial with half a line on the disk.
 * @returns what it acknowledged
 */
export async function leaveTornCampaign(life: Life): Promise<Map<number, string>> {
  const whole = startLife(life);
  await whole.ended;
  const folder = folderOfCampaign('crash', life.folder);
  const lines = readFileSync(folder.ledger, 'utf8').split('\n');
  const kept = lines.slice(0, lines.findIndex((line) => line.includes('"type":"observed"')) + 2);
  writeFileSync(folder.ledger, `${kept.join('\n')}\n{"attempt":0,`);
  for (const name of readdirSync(folder.logs)) {
    if (!/^00000[01]-/.test(name)) rmSync(join(folder.logs, name));
  }
  return new Map([...whole.acknowledged].filter(([seq]) => seq < kept.length));
}

/**
 * Runs a campaign whose n-th call that changes a file fails, then resumes it without.
 * @param at from 1; 0: no call fails, all are listed
 * @param start `torn`: it resumes one that has half a line at its end
 */
export async function runOnBrokenDisk(
  programs: CrashPrograms,
  plan: PlanKind,
  mode: DiskMode,
  at: number,
  start: 'new' | 'torn' = 'new',
  env: NodeJS.ProcessEnv = {},
): Promise<BrokenRun> {
  const outer = mkdtempSync(join(tmpdir(), 'rooflaw-disk-'));
  const folder = mkdtempSync(join(outer, 'work-'));
  const log = join(outer, 'calls');
  try {
    const runner = await copyRunner(programs, outer);
    const life = { folder, plan, runner, repetitionMs: 1, timeLimitSeconds: 20 };
    const before = start === 'torn' ? await leaveTornCampaign(life) : [];
    const broken = startLife(life, {
      LD_PRELOAD: programs.failingCalls,
      CRASH_FOLDER: folder,
      CRASH_AT: String(at),
      CRASH_MODE: mode,
      CRASH_LOG: log,
      ...env,
    });
    const { status, signal } = await broken.ended;
    const calls = existsSync(log) ? readCalls(readFileSync(log, 'utf8')) : [];
    const isReached = calls.some(({ result }) => result !== 'passed');
    const stderr = broken.stderr();
    const faults = findErrorFaults(status, signal, stderr);
    const acknowledged = new Map([...before, ...broken.acknowledged]);
    faults.push(...(await resumeHere(life, acknowledged)));
    if (faults.length === 0) {
      const campaign = { folder, plan: makeCrashPlan(plan), runner, acknowledged };
      faults.push(...(await findEndFaults(campaign)));
    }
    return { isReached, status, stderr, calls, faults };
  } finally {
    rmSync(outer, { recursive: true });
  }
}

/** Resumes in this process, which takes a tenth of the time. @returns what is wrong */
export async function resumeHere(life: Life, acknowledged: Map<number, string>): Promise<string[]> {
  process.env.ROOFLAW_LOCKS = life.folder; // read before the first wait
  const silent = { say: () => {}, show: () => {}, done: () => {} };
  try {
    const { ended } = await liveOnce(life, silent, {
      acknowledge: (entry) => acknowledged.set(entry.seq, sha256Hex(canonicalJson(entry))),
      reach: () => {},
    });
    return ended ? [] : ['resumed, it came to no end'];
  } catch (error) {
    return [`resumed, it failed: ${(error as Error).stack}`];
  }
}

/** The error says what, where and what to try, and its status is a documented one. */
function findErrorFaults(status: number | null, signal: string | null, stderr: string): string[] {
  const faults: string[] = [];
  if (signal !== null) faults.push(`ended by ${signal}`);
  if (status !== null && !documented.includes(status)) faults.push(`status ${status}`);
  if (/^ +at /m.test(stderr)) faults.push('a stack trace');
  if (status !== 0 && status !== 3) {
    if (!/^rooflaw: .*(?:\/|ledger)/m.test(stderr)) faults.push('does not say what and where');
    if (!/^ *try: /m.test(stderr)) faults.push('does not say what to try');
  }
  return faults.map((fault) => `${fault}: ${stderr}`);
}

function readCalls(text: string): FileCall[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [number, call = '', ...rest] = line.split(' ');
      const result = rest.pop() as FileCall['result'];
      return { number: Number(number), call, path: rest.join(' '), result };
    });
}

/**
 * Calls in turn, to the last that a run makes.
 * @param first the first call that fails, from 1
 * @param step 1: each
 */
export async function breakEveryCall(
  programs: CrashPrograms,
  plan: PlanKind,
  mode: DiskMode,
  start: 'new' | 'torn' = 'new',
  { first = 1, step = 1 } = {},
): Promise<{ injected: number; statuses: Map<number | null, number>; faults: string[] }> {
  const faults: string[] = [];
  const statuses = new Map<number | null, number>();
  let next = first;
  let injected = 0;
  let isPast = false;
  const work = async () => {
    while (!isPast) {
      const at = next;
      next += step;
      const run = await runOnBrokenDisk(programs, plan, mode, at, start);
      faults.push(...run.faults.map((fault) => `${mode} at call ${at}: ${fault}`));
      if (!run.isReached) isPast = true;
      else {
        injected += 1;
        statuses.set(run.status, (statuses.get(run.status) ?? 0) + 1);
      }
    }
  };
  await Promise.all([work(), work()]);
  return { injected, statuses, faults };
}

/** Acknowledgements before which the ledger was written and not synchronised after that. */
export function findEarlyPromises(calls: readonly FileCall[]): string[] {
  const faults: string[] = [];
  let isWritten = false;
  let isSynchronised = true;
  for (const { call, path } of calls) {
    if (/\/ledger\.ndjson(?:\.|$)/.test(path)) {
      if (call === 'pwrite' || call === 'write') [isWritten, isSynchronised] = [true, false];
      if (call === 'fdatasync' || call === 'fsync') isSynchronised = true;
    }
    if (call !== 'ack') continue;
    if (!isWritten) faults.push('acknowledged with nothing written');
    if (!isSynchronised) faults.push('acknowledged before the line was synchronised');
    isWritten = false;
  }
  return faults;
}

/** What had to be on the disk before something else was given its name or acknowledged, and was not. */
export function findLateSyncs(calls: readonly FileCall[]): string[] {
  const faults: string[] = [];
  const unsynchronised = new Set<string>();
  for (const { call, path } of calls) {
    if (path.endsWith('.lock') || path.includes('.lock.')) continue; // of this boot alone
    if (/\.out$/.test(path)) continue; // read and removed at once
    const makesName = call === 'mkdir' || call === 'link' || call === 'rename';
    if (call === 'link' || call === 'ack') {
      const needed = call === 'ack' ? '/' : dirname(path);
      for (const name of unsynchronised) {
        if (name.startsWith(needed)) faults.push(`${call} ${path} came before ${name} was there`);
      }
    }
    if (call === 'rename') {
      const draft = [...unsynchronised].find((name) => name.startsWith(`${path}.`));
      if (draft !== undefined) faults.push(`${path} got its name before its bytes were there`);
    }
    if (makesName || (call === 'open' && !path.endsWith('.part')))
      unsynchronised.add(dirname(path));
    if (call === 'open' || /write/.test(call)) unsynchronised.add(path);
    if (call === 'fsync' || call === 'fdatasync') unsynchronised.delete(path);
  }
  return faults;
}
