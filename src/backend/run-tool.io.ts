import { execFile } from 'node:child_process';
import { RooflawError } from '../errors.ts';

export interface ToolResult {
  /** 0 when it ended well; null when it could not be started or a signal ended it. */
  exitStatus: number | null;
  stdout: string;
  stderr: string;
  /** Why it could not be started, such as `ENOENT`. */
  startError: string | null;
  /** What ended it, such as SIGSEGV, where it did not end by itself. */
  signal: string | null;
}

export interface ToolOptions {
  cwd?: string;
  env?: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
  timeLimitMs?: number;
}

/** Compilers can say much. */
const maxOutputBytes = 64 * 1024 * 1024;

/** Runs a program to its end. @throws RooflawError `interrupted` */
export function runTool(
  command: string,
  args: readonly string[],
  { cwd, env, signal, timeLimitMs }: ToolOptions = {},
): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const options = {
      maxBuffer: maxOutputBytes,
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env: { ...env } }),
      ...(signal === undefined ? {} : { signal }),
      ...(timeLimitMs === undefined ? {} : { timeout: timeLimitMs }),
    };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (signal?.aborted) {
        reject(new RooflawError('interrupted', `stopped while ${command} ran`));
      } else if (error === null) {
        resolve({ exitStatus: 0, stdout, stderr, startError: null, signal: null });
      } else {
        const exitStatus = typeof error.code === 'number' ? error.code : null;
        const startError = typeof error.code === 'string' ? error.code : null;
        resolve({ exitStatus, stdout, stderr, startError, signal: error.signal ?? null });
      }
    });
  });
}
