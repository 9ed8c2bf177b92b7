import { Worker } from 'node:worker_threads';
import type { Effort, Tally } from './campaign.ts';
import type { Finding } from './examine.ts';
import { mostBytes } from './mutate.ts';
import { headBytes, type WorkerData } from './worker.ts';

export interface FoundInput {
  finding: Finding;
  input: Uint8Array;
}

export interface TargetRun extends Tally {
  /** One of each kind and what. */
  found: FoundInput[];
  /** Most that the process grew by, in bytes. */
  grownBytes: number;
}

/** Of the thread's heap, in MiB: what a text of 1 MiB becomes, and the parser's code, is far below. */
const heapMiB = 512;
/** Of the process, in bytes, with memory outside the heap. */
const mostGrownBytes = 1.5 * 2 ** 30;
/** Milliseconds of wall clock after which nobody waits any longer; a busy machine takes its part. */
const hangMs = 45_000;
const lookEveryMs = 100;
/** A target that kills its thread so often has been shown to. */
const mostRestarts = 5;

/** Fuzzes targets, one after another, in a thread with limits; a thread that dies is replaced until the time is over. */
export async function runTargets(targets: readonly string[], effort: Effort): Promise<TargetRun> {
  const run: TargetRun = { inputs: 0, taken: 0, shapes: 0, longestMs: 0, found: [], grownBytes: 0 };
  const known = new Set<string>();
  const onFound = (one: FoundInput) => {
    const { kind, what } = one.finding;
    const key = `${kind} ${kind === 'slow' ? '' : what.replaceAll(/\d+/g, '0')}`;
    if (known.has(key)) return;
    known.add(key);
    run.found.push(one);
  };
  const startMs = performance.now();
  for (let restart = 0; restart <= mostRestarts; restart++) {
    const leftMs = effort.untilMs - (performance.now() - startMs);
    if (restart > 0 && leftMs <= 0) break;
    const seed = restart === 0 ? effort.seed : `${effort.seed}/restart-${restart}`;
    const { ended, tally } = await runThread(
      targets,
      { ...effort, seed, untilMs: leftMs },
      run,
      onFound,
    );
    run.inputs += tally.inputs;
    run.taken += tally.taken;
    run.shapes = Math.max(run.shapes, tally.shapes);
    run.longestMs = Math.max(run.longestMs, tally.longestMs);
    if (ended) break;
  }
  return run;
}

function runThread(
  targets: readonly string[],
  effort: Effort,
  run: TargetRun,
  onFound: (found: FoundInput) => void,
): Promise<{ ended: boolean; tally: Tally }> {
  const shared = new SharedArrayBuffer(headBytes + mostBytes);
  const head = new Int32Array(shared, 0, 2);
  const workerData: WorkerData = { targets, effort, shared };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapMiB },
  });
  let tally: Tally = { inputs: 0, taken: 0, shapes: 0, longestMs: 0 };
  const startBytes = process.memoryUsage.rss();
  let seen = { count: 0, sinceMs: performance.now() };
  let died: Finding | null = null;
  const inputAtHand = () =>
    new Uint8Array(shared).slice(headBytes, headBytes + Atomics.load(head, 1));
  const kill = (finding: Finding) => {
    died ??= finding;
    void worker.terminate();
  };
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const count = Atomics.load(head, 0);
    if (count !== seen.count) seen = { count, sinceMs: nowMs };
    else if (count > 0 && nowMs - seen.sinceMs > hangMs) {
      kill({ kind: 'hang', what: `no end within ${hangMs / 1000} s` });
    }
    const grown = process.memoryUsage.rss() - startBytes;
    run.grownBytes = Math.max(run.grownBytes, grown);
    if (grown > mostGrownBytes) kill({ kind: 'memory', what: `grew by ${grown} bytes` });
  }, lookEveryMs);
  return new Promise((resolve) => {
    worker.on('message', (message: Partial<FoundInput & { tally: Tally }>) => {
      if (message.tally !== undefined) tally = message.tally;
      else onFound(message as FoundInput);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      died ??= isMemory
        ? { kind: 'memory', what: `a heap of ${heapMiB} MiB is too small` }
        : { kind: 'thrown', what: `${error.message}, beside the call` };
    });
    worker.on('exit', () => {
      clearInterval(timer);
      if (died !== null) onFound({ finding: died, input: inputAtHand() });
      resolve({ ended: died === null, tally });
    });
  });
}
