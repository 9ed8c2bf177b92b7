/** Thread that makes chunks, whichever is next, until none is left. Started by stream-model.io.ts. */
import { workerData } from 'node:worker_threads';
import { listChunks } from './chunks.ts';
import { fillChunk } from './fill-chunk.ts';
import { instantiateKernels } from './kernels.ts';
import { layoutModel } from './layout.ts';
import type { ModelSpec } from './model-spec.ts';
import { consumedAt, nextChunkAt, placeChunk, type Workspace } from './workspace.ts';

export interface WeightWorkerData {
  model: ModelSpec;
  workspace: Workspace;
  worker: number;
}

const { model, workspace, worker } = workerData as WeightWorkerData;
const { control, slotCount } = workspace;
const { architecture, quantization, weightSeed } = model;
const chunks = listChunks(layoutModel(architecture, quantization, weightSeed));
const kernels = instantiateKernels(workspace.memory);

for (;;) {
  const index = Atomics.add(control, nextChunkAt, 1);
  const chunk = chunks[index];
  if (chunk === undefined) break;
  waitUntilConsumed(index - slotCount + 1);
  const { counterAt, offset } = placeChunk(workspace, index);
  fillChunk(kernels, workspace, worker, model, chunk, offset);
  Atomics.store(control, counterAt, index + 1);
  Atomics.notify(control, counterAt);
}

function waitUntilConsumed(count: number): void {
  for (;;) {
    const consumed = Atomics.load(control, consumedAt);
    if (consumed >= count) return;
    Atomics.wait(control, consumedAt, consumed);
  }
}
