import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('./lock-taker.mjs', import.meta.url));

export interface Taker {
  child: ChildProcess;
  /** Next line that it prints; null when it has ended. */
  next(): Promise<string | null>;
  /** Lets it go on to the first such place; null when it ends its taking before. */
  goTo(isIt: (place: string) => boolean): Promise<string | null>;
  /** Lets it go on until it has the lock or is refused. */
  finish(): Promise<string>;
  /** As a power cut or the kernel does it. */
  kill(): Promise<void>;
}

/** A process of its own that takes a lock, and stops before each change of a file. */
export function startTaker(
  path: string,
  campaign: string,
  { isGated = true, ...options }: SpawnOptions & { isGated?: boolean } = {},
): Taker {
  const args = [program, path, campaign, ...(isGated ? ['gated'] : [])];
  const child = spawn(process.execPath, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdin!.on('error', () => {}); // it was killed
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  let last: string | null = '';
  const next = async () => {
    if (last?.startsWith('at ')) child.stdin!.write('go\n');
    const { value, done } = await lines.next();
    last = done ? null : value;
    return last;
  };
  const goTo: Taker['goTo'] = async (isIt) => {
    for (;;) {
      const line = await next();
      if (line === null || !line.startsWith('at ')) return null;
      if (isIt(line.slice(3))) return line.slice(3);
    }
  };
  return {
    child,
    next,
    goTo,
    kill,
    async finish() {
      await goTo(() => false);
      return last ?? 'ended';
    },
  };
}
