import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ChainVerdict, createChunkedChainCheck } from './chain-check.ts';
import type { ChainAnswer, ChainTask } from './chain-worker.io.ts';

/** The worker's source in a checkout (.ts), its compiled form in an installed package (.js). */
const workerUrl = new URL(
  `./chain-worker.io${extname(new URL(import.meta.url).pathname)}`,
  import.meta.url,
);

/** Chunks that may wait for the thread: so many megabytes at most. */
const mostWaiting = 16;
/** A file of fewer bytes is checked before a thread has started. */
const worthAThread = 8_000_000;

/** Checks a chain, for a long file on another core while this one reads what the lines say. */
export interface ChainThread extends Disposable {
  /** The chunk is copied. Resolves when there is room for another. */
  send(chunk: Uint8Array): Promise<void>;
  finish(): Promise<ChainVerdict>;
}

export function startChainThread(fileBytes: number): ChainThread {
  if (fileBytes >= worthAThread)
    return startThread(
      new Worker(workerUrl, { resourceLimits: { maxYoungGenerationSizeMb: 128 } }),
    );
  const check = createChunkedChainCheck();
  return {
    send: async (chunk) => check.push(chunk),
    finish: async () => check.finish(),
    [Symbol.dispose]() {},
  };
}

function startThread(worker: Worker): ChainThread {
  let waiting = 0;
  let wake: () => void = () => {};
  const verdict = new Promise<ChainVerdict>((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the thread ended before its work')));
    worker.on('message', (answer: ChainAnswer) => {
      waiting -= 1;
      if (answer !== null) resolve(answer);
      wake();
    });
  });
  verdict.catch(() => {}); // whoever sends or finishes hears of it
  const post = (task: ChainTask) => {
    waiting += 1;
    worker.postMessage(task);
  };
  return {
    async send(chunk) {
      post(chunk);
      if (waiting < mostWaiting) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await Promise.race([promise, verdict]);
    },
    finish() {
      post(null);
      return verdict;
    },
    [Symbol.dispose]() {
      void worker.terminate();
    },
  };
}
