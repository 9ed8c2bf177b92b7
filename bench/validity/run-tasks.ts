import { Worker } from 'node:worker_threads';
import { type Outcome, seedOf, type Task } from './study.ts';

/** Outcomes by the seed of their task: the same whatever the number of workers. */
export async function runTasks(
  tasks: readonly Task[],
  workers: number,
  onProgress: (done: number) => void,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const waiting = tasks.values();
  const work = async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    try {
      for (const task of waiting) {
        const outcome = await new Promise<Outcome>((resolve, reject) => {
          worker.once('message', resolve).once('error', reject);
          worker.postMessage(task);
        });
        worker.removeAllListeners('error');
        outcomes.set(seedOf(task), outcome);
        onProgress(outcomes.size);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return outcomes;
}
