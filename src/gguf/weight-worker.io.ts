/** Thread that makes chunks, whichever is next, until a model has no more. See worker-pool.io.ts. */
import { parentPort } from 'node:worker_threads';
import { listChunks } from './chunks.ts';
import { fillChunk } from './fill-chunk.ts';
import { instantiateKernels } from './kernels.ts';
import { layoutModel } from './layout.ts';
import type { ModelSpec } from './model-spec.ts';
import { consumedAt, nextChunkAt, placeChunk, type Workspace } from './workspace.ts';

export interface WeightTask {
  model: ModelSpec;
  workspace: Workspace;
  /** This thread's number in the workspace. */
  worker: number;
}

parentPort?.on('message', makeChunks);

function makeChunks({ model, workspace, worker }: WeightTask): void {
  const { control, slotCount } = workspace;
  const { architecture, quantization, weightSeed } = model;
  const chunks = listChunks(layoutModel(architecture, quantization, weightSeed));
  const kernels = instantiateKernels(workspace.memory);
  for (;;) {
    const index = Atomics.add(control, nextChunkAt, 1);
    const chunk = chunks[index];
    if (chunk === undefined) return;
    waitUntilConsumed(control, index - slotCount + 1);
    const { counterAt, offset } = placeChunk(workspace, index);
    fillChunk(kernels, workspace, worker, model, chunk, offset);
    Atomics.store(control, counterAt, index + 1);
    Atomics.notify(control, counterAt);
  }
}

function waitUntilConsumed(control: Int32Array, count: number): void {
  for (;;) {
    const consumed = Atomics.load(control, consumedAt);
    if (consumed >= count) return;
    Atomics.wait(control, consumedAt, consumed);
  }
}
