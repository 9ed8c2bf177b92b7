import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { createWhoRanSampler } from '../device/who-ran.io.ts';
import { RooflawError } from '../errors.ts';
import { explainFileError } from '../file-error.ts';
import { plainLaunch } from '../formats/treatment.ts';
import { cutLog, maxLogBytes } from './cut-log.io.ts';
import { findLastWords } from './last-words.ts';
import {
  endLeftProcesses,
  findLeftProcesses,
  type LeftProcess,
  type TrialMarks,
} from './left-processes.io.ts';
import { splitOutput } from './split-output.ts';
import { chooseStartWords } from './start-words.ts';
import type { ProcessRecord, TrialRunner } from './trial-runner.ts';

/** 20,000 repetitions of about 100 bytes are 2 MB; more than this is not a runner speaking. */
const maxOutputBytes = 16 * 1024 * 1024;
/** How often its size and the log's are looked at; rarely, since every look takes a CPU that is being measured. */
const outputCheckMs = 1000;
/** Enough for an error message and the lines that led to it. */
const stderrEndBytes = 4096;
/** A trace of the stack may stand between the reason and the end. */
const lastWordsBytes = 256 * 1024;
/** Freeing 140 GB of a GPU takes seconds; a driver that hangs may hold a killed process for ever. */
const killGraceMs = 60_000;
/** Longer than a busy machine delays a timer, shorter than what a person stops. */
const leastStandstillNs = 500_000_000;
/** How often it is looked who runs, where an experiment asks: a look takes a CPU for milliseconds. */
const whoRunsMs = 20;
/** Inherited by whatever a trial's process starts, so that it is found. Of one length in every trial. */
const markName = 'ROOFLAW_TRIAL';
/** Says which process the runner shall not outlive, at a length that does not depend on it. */
const harnessName = 'ROOFLAW_HARNESS';
const harnessPid = String(process.pid).padStart(10, '0');

/**
 * Starts `command` with one trial on its standard input, in a process group of its own. Its output
 * goes to a file that is read when it has ended: reading each line as it comes would wake this
 * process in the middle of the next repetition.
 */
export function createProcessRunner(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { graceMs = killGraceMs }: { graceMs?: number } = {},
): TrialRunner {
  return {
    async run(trial, logPath, timeLimitMs, stop, launch = plainLaunch) {
      const logFile = openNew(logPath);
      const outputPath = `${logPath}.out`;
      const outputFile = openNew(outputPath);
      try {
        const killsBefore = await countOutOfMemoryKills();
        const mark = randomUUID();
        const words = chooseStartWords([command, ...args], launch);
        // a wrapper is the runner's parent, and the harness only that of the wrapper
        const parent = words.isWrapped ? '' : harnessPid;
        const marked = { ...environment, [markName]: mark, [harnessName]: parent };
        const sampler = launch.whoRuns ? createWhoRanSampler({ intervalMs: whoRunsMs }) : null;
        const { left, marks, ...record } = await runProcess(words.command, words.args, marked, {
          mark: `${markName}=${mark}`,
          input: `${JSON.stringify(trial)}\n`,
          outputFile,
          logFile,
          timeLimitMs,
          graceMs,
          stop,
          onStarted: (pid) => sampler?.start(pid),
        });
        const whoRan = sampler?.stop();
        const killed = record.signal === 'SIGKILL' && record.endedBy === null;
        const outOfMemoryKill = killed && (await countOutOfMemoryKills()) > killsBefore;
        const leftRunning = await endLeftRunning(marks, left, record.endedBy);
        const isSound = record.signal === null && record.exitStatus === 0;
        const lastWords = isSound ? null : readLastWords(logFile);
        const stderrEnd = readLinesAtEnd(logFile, stderrEndBytes).toWellFormed();
        const output = readOutput(outputFile);
        const cut = cutLog(logFile);
        return {
          ...record,
          lines: output.lines,
          outOfMemoryKill,
          stderrEnd,
          lastWords,
          outputFault: cut === null ? output.fault : describeCutLog(cut.bytes),
          leftRunning,
          machineMemoryBytes: totalmem(),
          ...(whoRan === undefined || whoRan === null ? {} : { whoRan }),
        };
      } finally {
        closeSync(logFile);
        closeSync(outputFile);
        removeOutput(outputPath);
      }
    },
  };
}

/** It was read. One that stays is removed by the next run, and an error of this hides no other. */
function removeOutput(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // what is wrong with the disk shows in the ledger's next line
  }
}

/** Each attempt writes a log of its own; one that is there already shows that the ledger lost it. */
function openNew(path: string): number {
  try {
    return openSync(path, 'wx+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new RooflawError(
        'ledger-broken',
        `${path} is of a trial that the ledger does not know`,
        {
          hint: 'lines were cut off the ledger’s end after they were written: measure in a new campaign',
        },
      );
    }
    throw explainFileError(
      error,
      path,
      'make room or allow writing, then run the same command again',
    );
  }
}

interface ProcessOptions {
  mark: string;
  input: string;
  outputFile: number;
  logFile: number;
  timeLimitMs: number;
  graceMs: number;
  stop: AbortSignal;
  onStarted(pid: number): void;
}

interface ProcessEnd
  extends Pick<
    ProcessRecord,
    'exitStatus' | 'signal' | 'endedBy' | 'startError' | 'processNs' | 'stoodStillNs'
  > {
  marks: TrialMarks;
  /** Seen when it had ended. */
  left: LeftProcess[];
}

function runProcess(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { mark, input, outputFile, logFile, timeLimitMs, graceMs, stop, onStarted }: ProcessOptions,
): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const started = process.hrtime.bigint();
    let endedBy: ProcessRecord['endedBy'] = null;

    const child = spawn(command, args, {
      stdio: ['pipe', outputFile, logFile],
      env: { ...environment },
      detached: true, // a group of its own: Ctrl-C reaches us first, and no descendant is left over
    });
    const killGroup = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // the group is gone already
      }
    };
    let grace: NodeJS.Timeout | undefined;
    const end = (reason: NonNullable<ProcessRecord['endedBy']>) => {
      endedBy ??= reason;
      killGroup();
      // no signal ends a process that a driver does not let go: the campaign does not wait for ever
      grace ??= setTimeout(() => finish(null, null, null), graceMs);
    };
    const onStop = () => end('stopped');
    const limit = setTimeout(() => end('time-limit'), timeLimitMs);
    // a harness that was stopped alone sees everything late: its own timer tells
    let stoodStillNs = 0;
    let looked = process.hrtime.bigint();
    const noteStandstill = () => {
      const now = process.hrtime.bigint();
      const lateNs = Number(now - looked) - outputCheckMs * 1e6;
      if (lateNs >= leastStandstillNs) stoodStillNs += lateNs;
      looked = now;
    };
    const sizeCheck = setInterval(() => {
      noteStandstill();
      const isTooMuch =
        fstatSync(outputFile).size > maxOutputBytes || fstatSync(logFile).size > maxLogBytes;
      if (isTooMuch) end('too-much-output');
    }, outputCheckMs);
    if (stop.aborted) onStop();
    stop.addEventListener('abort', onStop, { once: true });

    child.stdin?.on('error', () => {}); // a process that ends before reading is told by its exit
    child.stdin?.end(input);
    if (child.pid !== undefined) onStarted(child.pid);
    child.on('error', (error) => {
      if (child.pid === undefined) finish(null, null, error.message);
    });
    child.on('exit', (exitStatus, signal) => finish(exitStatus, signal, null));

    function finish(exitStatus: number | null, signal: string | null, startError: string | null) {
      const processNs = Number(process.hrtime.bigint() - started);
      clearTimeout(limit);
      clearTimeout(grace);
      clearInterval(sizeCheck);
      stop.removeEventListener('abort', onStop);
      noteStandstill();
      child.unref();
      const marks = { mark, group: child.pid };
      const left = findLeftProcesses(marks); // before they are ended, so that they can be named
      killGroup(); // descendants that would outlive the trial and disturb the next
      const end = { exitStatus, signal, endedBy, startError, processNs, stoodStillNs };
      resolve({ ...end, marks, left });
    }
  });
}

/** Ends what a trial's process left running. @returns null when that was nothing */
async function endLeftRunning(
  marks: TrialMarks,
  first: readonly LeftProcess[],
  endedBy: ProcessRecord['endedBy'],
): Promise<string | null> {
  const { found, alive } = await endLeftProcesses(marks, first);
  if (alive.length > 0) return `${nameProcesses(alive)} could not be ended`;
  // a process that was killed takes its group with it, and some of that is seen while it goes
  if (found.length === 0 || endedBy !== null) return null;
  return `it left ${nameProcesses(found)} running, ended now`;
}

/** More than these are counted. */
const mostNamed = 5;

function nameProcesses(processes: readonly LeftProcess[]): string {
  const named = processes.slice(0, mostNamed).map(({ pid, name }) => `process ${pid} (${name})`);
  const more = processes.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

const describeCutLog = (bytes: number) =>
  `wrote ${bytes} bytes to its log, more than ${maxLogBytes}; the middle was cut out`;

/** Nothing is made of the lines of an output that has a fault as a whole. */
function readOutput(file: number): { lines: string[]; fault: string | null } {
  const { size } = fstatSync(file);
  if (size > maxOutputBytes) {
    return { lines: [], fault: `printed ${size} bytes, more than ${maxOutputBytes}` };
  }
  return splitOutput(readEnd(file, maxOutputBytes));
}

const readLastWords = (logFile: number) =>
  findLastWords(readLinesAtEnd(logFile, lastWordsBytes).toWellFormed());

/** The last bytes of an open file. */
function readEnd(file: number, mostBytes: number): Buffer {
  const { size } = fstatSync(file);
  const start = Math.max(0, size - mostBytes);
  const buffer = Buffer.alloc(size - start);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(file, buffer, length, buffer.length - length, start + length);
    if (count === 0) break; // it was cut meanwhile
    length += count;
  }
  return buffer.subarray(0, length);
}

/** The same from the start of a line, where there is one: of half a path nobody sees what it is. */
function readLinesAtEnd(file: number, mostBytes: number): string {
  const text = readEnd(file, mostBytes).toString('utf8');
  return fstatSync(file).size <= mostBytes ? text : text.slice(text.indexOf('\n') + 1);
}

/** Kills by the kernel's out-of-memory killer since boot; 0 where the system has no such count. */
async function countOutOfMemoryKills(): Promise<number> {
  const text = await readFile('/proc/vmstat', 'utf8').catch(() => '');
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
}
