import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Chunk, splitTensor } from './chunks.ts';
import { countPadding, layoutModel } from './layout.ts';
import type { ModelSpec } from './model-spec.ts';
import type { WeightWorkerData } from './weight-worker.io.ts';
import { consumedAt, createWorkspace, placeChunk, type Workspace } from './workspace.ts';

/** Beyond four, the consumer's SHA-256 (about 1.5 GB/s on one core) is slower than the workers. */
const mostUsefulWorkers = 4;

/** The worker's source in a checkout (.ts), its compiled form in an installed package (.js). */
const workerUrl = new URL(
  `./weight-worker.io${extname(new URL(import.meta.url).pathname)}`,
  import.meta.url,
);

/**
 * The bytes of a model's file, in order. A piece is overwritten once the next is asked for.
 * @param workers threads that make weights; the bytes do not depend on it.
 */
export async function* streamModel(
  model: ModelSpec,
  workers: number = Math.min(mostUsefulWorkers, availableParallelism()),
): AsyncGenerator<Uint8Array, void> {
  const { architecture, quantization, weightSeed } = model;
  const layout = layoutModel(architecture, quantization, weightSeed);
  const workspace = createWorkspace(layout, quantization, workers);
  const threads = startWorkers({ architecture, quantization, weightSeed }, workspace, workers);
  try {
    yield layout.header;
    let index = 0;
    for (const tensor of layout.tensors) {
      if (tensor.role === 'norm') yield encodeOnes(tensor.elementCount);
      for (const chunk of splitTensor(tensor)) {
        yield await receiveChunk(workspace, index, chunk, threads.failure);
        index += 1;
        Atomics.store(workspace.control, consumedAt, index);
        Atomics.notify(workspace.control, consumedAt);
      }
      const padding = countPadding(tensor.bytes);
      if (padding > 0) yield new Uint8Array(padding);
    }
  } finally {
    await threads.stop();
  }
}

interface Threads {
  /** Never resolves; rejects when a thread fails. */
  failure: Promise<never>;
  stop(): Promise<void>;
}

function startWorkers(model: ModelSpec, workspace: Workspace, count: number): Threads {
  const workers = Array.from({ length: count }, (_, worker) => {
    const workerData: WeightWorkerData = { model, workspace, worker };
    return new Worker(workerUrl, { workerData });
  });
  const failure = new Promise<never>((_, reject) => {
    for (const worker of workers) worker.once('error', reject);
  });
  failure.catch(() => {}); // a failure after the last chunk was received harms nothing
  const stop = async () => {
    await Promise.all(workers.map((worker) => worker.terminate()));
  };
  return { failure, stop };
}

async function receiveChunk(
  workspace: Workspace,
  index: number,
  chunk: Chunk,
  failure: Promise<never>,
): Promise<Uint8Array> {
  const { counterAt, view } = placeChunk(workspace, index);
  for (;;) {
    const seen = Atomics.load(workspace.control, counterAt);
    if (seen === index + 1) return view(chunk.bytes);
    const change = Atomics.waitAsync(workspace.control, counterAt, seen);
    if (change.async) await Promise.race([change.value, failure]);
  }
}

/** Norm weights. */
function encodeOnes(count: number): Uint8Array {
  const bytes = Buffer.alloc(4 * count);
  for (let index = 0; index < count; index++) bytes.writeFloatLE(1, 4 * index);
  return bytes;
}
