import { availableParallelism } from 'node:os';
import { type Chunk, listChunks, splitTensor } from './chunks.ts';
import { countPadding, layoutModel } from './layout.ts';
import type { ModelSpec } from './model-spec.ts';
import { startWorkers } from './worker-pool.io.ts';
import { consumedAt, createWorkspace, placeChunk, type Workspace } from './workspace.ts';

/** Beyond four, the consumer's SHA-256 (about 1.5 GB/s on one core) is slower than the workers. */
const mostUsefulWorkers = 4;

/**
 * The bytes of a model's file, in order. A piece is valid until the one after the next is asked for.
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
  let index = 0;
  try {
    yield layout.header;
    for (const tensor of layout.tensors) {
      if (tensor.role === 'norm') yield encodeOnes(tensor.elementCount);
      for (const chunk of splitTensor(tensor)) {
        yield await receiveChunk(workspace, index, chunk, threads.failure);
        Atomics.store(workspace.control, consumedAt, index); // not this one, but those before
        Atomics.notify(workspace.control, consumedAt);
        index += 1;
      }
      const padding = countPadding(tensor.bytes);
      if (padding > 0) yield new Uint8Array(padding);
    }
  } finally {
    if (index === listChunks(layout).length) threads.release();
    else await threads.terminate();
  }
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
