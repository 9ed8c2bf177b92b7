import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Life, Stage } from './live.ts';

const program = fileURLToPath(new URL('./life.ts', import.meta.url));
/** The next start takes half the time. */
const compiled = fileURLToPath(
  new URL('../../node_modules/.cache/crash-compiled', import.meta.url),
);

export interface RunningLife {
  child: ChildProcess;
  /** Hash of each line that was acknowledged, by its number. */
  acknowledged: Map<number, string>;
  stderr(): string;
  /** Resolves at the first whole line of standard output that it is true of, or at the end. */
  waitFor(isIt: (line: string) => boolean): Promise<void>;
  ended: Promise<{ status: number | null; signal: NodeJS.Signals | null }>;
}

export const reaches = (stage: Stage) => (line: string) => line === `at ${stage}`;

/** Starts the harness as a process of its own. @param env what it gets besides, such as LD_PRELOAD */
export function startLife(life: Life, env: NodeJS.ProcessEnv = {}): RunningLife {
  const child = spawn(process.execPath, [program, JSON.stringify(life)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ROOFLAW_LOCKS: join(life.folder),
      NODE_COMPILE_CACHE: compiled,
      ...env,
    },
  });
  const acknowledged = new Map<number, string>();
  const waiting = new Set<(line: string | null) => void>();
  let rest = '';
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  child.stdout.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? ''; // half a line was promised to nobody
    for (const line of lines) {
      const [word, seq, sha256] = line.split(' ');
      if (word === 'ack') acknowledged.set(Number(seq), sha256 ?? '');
      for (const hear of [...waiting]) hear(line);
    }
  });
  const ended = new Promise<{ status: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.on('close', (status, signal) => {
      for (const hear of [...waiting]) hear(null);
      resolve({ status, signal });
    }),
  );
  return {
    child,
    acknowledged,
    stderr: () => errors,
    ended,
    waitFor: (isIt) =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        const hear = (line: string | null) => {
          if (line !== null && !isIt(line)) return;
          waiting.delete(hear);
          resolve();
        };
        waiting.add(hear);
      }),
  };
}
