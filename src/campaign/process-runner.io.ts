import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { RooflawError } from '../errors.ts';
import { explainFileError } from '../file-error.ts';
import { findLastWords } from './last-words.ts';
import type { ProcessRecord, TrialRunner } from './trial-runner.ts';

/** 20,000 repetitions of about 100 bytes are 2 MB; more than this is not a runner speaking. */
const maxOutputBytes = 16 * 1024 * 1024;
/** How often its size is looked at; rarely, since every look takes a CPU that is being measured. */
const outputCheckMs = 1000;
/** Enough for an error message and the lines that led to it. */
const stderrEndBytes = 4096;
/** A trace of the stack may stand between the reason and the end. */
const lastWordsBytes = 256 * 1024;

/**
 * Starts `command` with one trial on its standard input, in a process group of its own. Its output
 * goes to a file that is read when it has ended: reading each line as it comes would wake this
 * process in the middle of the next repetition.
 */
export function createProcessRunner(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): TrialRunner {
  return {
    async run(trial, logPath, timeLimitMs, stop) {
      const logFile = openNew(logPath);
      const outputPath = `${logPath}.out`;
      rmSync(outputPath, { force: true });
      const outputFile = openNew(outputPath);
      try {
        const killsBefore = await countOutOfMemoryKills();
        const record = await runProcess(command, args, environment, {
          input: `${JSON.stringify(trial)}\n`,
          outputFile,
          logFile,
          timeLimitMs,
          stop,
        });
        const killed = record.signal === 'SIGKILL' && record.endedBy === null;
        return {
          ...record,
          lines: readOutputLines(outputFile),
          outOfMemoryKill: killed && (await countOutOfMemoryKills()) > killsBefore,
          stderrEnd: readLinesAtEnd(logFile, stderrEndBytes).toWellFormed(),
          lastWords: record.signal === null ? null : readLastWords(logFile),
        };
      } finally {
        closeSync(logFile);
        closeSync(outputFile);
        rmSync(outputPath, { force: true });
      }
    },
  };
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
  input: string;
  outputFile: number;
  logFile: number;
  timeLimitMs: number;
  stop: AbortSignal;
}

type ProcessEnd = Omit<ProcessRecord, 'lines' | 'outOfMemoryKill' | 'stderrEnd' | 'lastWords'>;

function runProcess(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { input, outputFile, logFile, timeLimitMs, stop }: ProcessOptions,
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
    const end = (reason: NonNullable<ProcessRecord['endedBy']>) => {
      endedBy ??= reason;
      killGroup();
    };
    const onStop = () => end('stopped');
    const limit = setTimeout(() => end('time-limit'), timeLimitMs);
    const sizeCheck = setInterval(() => {
      if (fstatSync(outputFile).size > maxOutputBytes) end('too-much-output');
    }, outputCheckMs);
    if (stop.aborted) onStop();
    stop.addEventListener('abort', onStop, { once: true });

    child.stdin?.on('error', () => {}); // a process that ends before reading is told by its exit
    child.stdin?.end(input);
    child.on('error', (error) => {
      if (child.pid === undefined) finish(null, null, error.message);
    });
    child.on('exit', (exitStatus, signal) => finish(exitStatus, signal, null));

    function finish(exitStatus: number | null, signal: string | null, startError: string | null) {
      const processNs = Number(process.hrtime.bigint() - started);
      killGroup(); // descendants that would outlive the trial and disturb the next
      clearTimeout(limit);
      clearInterval(sizeCheck);
      stop.removeEventListener('abort', onStop);
      resolve({ exitStatus, signal, endedBy, startError, processNs });
    }
  });
}

function readOutputLines(file: number): string[] {
  const lines = readEnd(file, maxOutputBytes).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const readLastWords = (logFile: number) =>
  findLastWords(readLinesAtEnd(logFile, lastWordsBytes).toWellFormed());

/** The last bytes of an open file, as text. */
function readEnd(file: number, mostBytes: number): string {
  const { size } = fstatSync(file);
  const start = Math.max(0, size - mostBytes);
  const buffer = Buffer.alloc(size - start);
  readSync(file, buffer, 0, buffer.length, start);
  return buffer.toString('utf8');
}

/** The same from the start of a line, where there is one: of half a path nobody sees what it is. */
function readLinesAtEnd(file: number, mostBytes: number): string {
  const text = readEnd(file, mostBytes);
  return fstatSync(file).size <= mostBytes ? text : text.slice(text.indexOf('\n') + 1);
}

/** Kills by the kernel's out-of-memory killer since boot; 0 where the system has no such count. */
async function countOutOfMemoryKills(): Promise<number> {
  const text = await readFile('/proc/vmstat', 'utf8').catch(() => '');
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
}
