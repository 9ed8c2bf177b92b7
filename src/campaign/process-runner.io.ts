import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { explainFileError } from '../file-error.ts';
import type { ProcessRecord, TrialRunner } from './trial-runner.ts';

/** 20,000 repetitions of about 100 bytes are 2 MB; more than this is not a runner speaking. */
const maxOutputBytes = 16 * 1024 * 1024;
/** Enough for an error message and the lines that led to it. */
const stderrEndBytes = 4096;
/** How long output may keep coming after the process itself has ended. */
const drainMs = 2000;

/** Starts `command` with one trial on its standard input, in a process group of its own. */
export function createProcessRunner(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): TrialRunner {
  return {
    async run(trial, logPath, timeLimitMs, stop) {
      const logFile = openLog(logPath);
      try {
        const killsBefore = await countOutOfMemoryKills();
        const record = await runProcess(command, args, environment, {
          input: `${JSON.stringify(trial)}\n`,
          logFile,
          timeLimitMs,
          stop,
        });
        const killed = record.signal === 'SIGKILL' && record.endedBy === null;
        return {
          ...record,
          outOfMemoryKill: killed && (await countOutOfMemoryKills()) > killsBefore,
          stderrEnd: readEnd(logFile),
        };
      } finally {
        closeSync(logFile);
      }
    },
  };
}

function openLog(path: string): number {
  try {
    return openSync(path, 'w+');
  } catch (error) {
    throw explainFileError(
      error,
      path,
      'make room or allow writing, then run the same command again',
    );
  }
}

interface ProcessOptions {
  input: string;
  logFile: number;
  timeLimitMs: number;
  stop: AbortSignal;
}

function runProcess(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { input, logFile, timeLimitMs, stop }: ProcessOptions,
): Promise<Omit<ProcessRecord, 'outOfMemoryKill' | 'stderrEnd'>> {
  return new Promise((resolve) => {
    const started = process.hrtime.bigint();
    const chunks: Buffer[] = [];
    let outputBytes = 0;
    let endedBy: ProcessRecord['endedBy'] = null;
    let startError: string | null = null;
    let processNs = 0;

    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', logFile],
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
    if (stop.aborted) onStop();
    stop.addEventListener('abort', onStop, { once: true });

    child.stdout?.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes > maxOutputBytes) end('too-much-output');
      else chunks.push(chunk);
    });
    child.stdin?.on('error', () => {}); // a process that ends before reading is told by its exit
    child.stdin?.end(input);
    child.on('error', (error) => {
      startError = error.message;
      if (child.pid === undefined) finish(null, null);
    });
    child.on('exit', () => {
      processNs = Number(process.hrtime.bigint() - started);
      killGroup(); // descendants that would outlive the trial and disturb the next
      setTimeout(() => child.stdout?.destroy(), drainMs).unref();
    });
    child.on('close', finish);

    function finish(exitStatus: number | null, signal: string | null) {
      clearTimeout(limit);
      stop.removeEventListener('abort', onStop);
      if (processNs === 0) processNs = Number(process.hrtime.bigint() - started);
      const lines = Buffer.concat(chunks).toString('utf8').split('\n');
      if (lines.at(-1) === '') lines.pop();
      resolve({ lines, exitStatus, signal, endedBy, startError, processNs });
    }
  });
}

function readEnd(file: number): string {
  const { size } = fstatSync(file);
  const start = Math.max(0, size - stderrEndBytes);
  const buffer = Buffer.alloc(size - start);
  readSync(file, buffer, 0, buffer.length, start);
  return buffer.toString('utf8').toWellFormed();
}

/** Kills by the kernel's out-of-memory killer since boot; 0 where the system has no such count. */
async function countOutOfMemoryKills(): Promise<number> {
  const text = await readFile('/proc/vmstat', 'utf8').catch(() => '');
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
}
