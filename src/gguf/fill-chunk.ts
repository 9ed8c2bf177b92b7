import type { Quantization } from '../formats/architecture.ts';
import { type Chunk, seedChunk } from './chunks.ts';
import type { Kernels } from './kernels.ts';
import type { ModelSpec } from './model-spec.ts';
import { fanInOf, placeWorker, stripWeightCount, type Workspace } from './workspace.ts';

const blockLength = 32;

/** Makes one chunk's bytes at `destination`, a byte offset in the workspace's memory. */
export function fillChunk(
  kernels: Kernels,
  workspace: Workspace,
  worker: number,
  model: ModelSpec,
  chunk: Chunk,
  destination: number,
): void {
  const { stateAt, stripAt } = placeWorker(workspace, worker);
  const table = workspace.tableOfFanIn.get(fanInOf(chunk)) as number;
  const seed = seedChunk(model, chunk);
  new Uint8Array(workspace.memory.buffer, stateAt, seed.length).set(seed);
  if (model.quantization === 'F16') {
    kernels.fillF16(stateAt, table, destination, chunk.weightCount);
    return;
  }
  const quantize = quantizerOf(kernels, model.quantization);
  const bytesPerWeight = chunk.bytes / chunk.weightCount;
  for (let done = 0; done < chunk.weightCount; done += stripWeightCount) {
    const count = Math.min(stripWeightCount, chunk.weightCount - done);
    kernels.fillF32(stateAt, table, stripAt, count);
    quantize(stripAt, destination + done * bytesPerWeight, count / blockLength);
  }
}

function quantizerOf(kernels: Kernels, quantization: Exclude<Quantization, 'F16'>) {
  return quantization === 'Q8_0' ? kernels.quantizeQ8_0 : kernels.quantizeQ4_0;
}
