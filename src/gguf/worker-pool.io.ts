import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ModelSpec } from './model-spec.ts';
import type { WeightTask } from './weight-worker.io.ts';
import type { Workspace } from './workspace.ts';

/** The worker's source in a checkout (.ts), its compiled form in an installed package (.js). */
const workerUrl = new URL(
  `./weight-worker.io${extname(new URL(import.meta.url).pathname)}`,
  import.meta.url,
);

/** Threads without work. Starting one costs about 100 ms, as much as 100 MB of a model. */
const idle: Worker[] = [];

export interface WorkerTeam {
  /** Never resolves; rejects when a thread fails. */
  failure: Promise<never>;
  /** After the last chunk: the threads wait for another model, and let the process end. */
  release(): void;
  /** Whatever they are at. */
  terminate(): Promise<void>;
}

/** Sets threads to work on the chunks of a model. */
export function startWorkers(model: ModelSpec, workspace: Workspace, count: number): WorkerTeam {
  const workers = Array.from({ length: count }, () => idle.pop() ?? new Worker(workerUrl));
  const failure = new Promise<never>((_, reject) => {
    for (const worker of workers) worker.once('error', reject);
  });
  failure.catch(() => {}); // whoever waits for a chunk hears of it
  for (const [index, worker] of workers.entries()) {
    worker.ref();
    worker.postMessage({ model, workspace, worker: index } satisfies WeightTask);
  }
  return {
    failure,
    release() {
      for (const worker of workers) {
        worker.removeAllListeners('error');
        worker.unref();
        idle.push(worker);
      }
    },
    async terminate() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
