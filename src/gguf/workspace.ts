import type { Quantization } from '../formats/architecture.ts';
import { type Chunk, listChunks } from './chunks.ts';
import { createSharedMemory, type SharedMemory } from './kernels.ts';
import type { ModelLayout } from './layout.ts';
import { computeNormalQuantiles } from './normal-quantiles.ts';
import { computeWeightTable } from './weight-table.ts';

/** Weights that go from table to quantizer at a time: 16 KiB of floats, in the first-level cache. */
export const stripWeightCount = 4096;
const stateBytes = 64;
/** Bytes; slots and tables start on cache lines of their own. */
const cacheLineBytes = 64;

/**
 * What the threads share. `memory` holds a weight table for each fan-in, random state and strip of
 * floats for each worker, and slots that finished chunks wait in. `control` holds counters.
 */
export interface Workspace {
  memory: SharedMemory;
  control: Int32Array<SharedArrayBuffer>;
  slotCount: number;
  slotBytes: number;
  /** Byte offsets in the memory. */
  tableOfFanIn: ReadonlyMap<number, number>;
  workersAt: number;
  slotsAt: number;
}

/** Places in `control`: the next chunk to make, the chunks consumed, then a counter for each slot. */
export const nextChunkAt = 0;
export const consumedAt = 1;
const slotCountersAt = 2;

/** The slot of chunk n counts n + 1 when the chunk is in it. */
export function placeChunk({ memory, slotCount, slotBytes, slotsAt }: Workspace, index: number) {
  const slot = index % slotCount;
  const offset = slotsAt + slot * slotBytes;
  const view = (bytes: number) => new Uint8Array(memory.buffer, offset, bytes);
  return { counterAt: slotCountersAt + slot, offset, view };
}

/** Byte offsets of a worker's own random state and strip of floats. */
export function placeWorker({ workersAt }: Workspace, worker: number) {
  const stateAt = workersAt + worker * (stateBytes + stripWeightCount * 4);
  return { stateAt, stripAt: stateAt + stateBytes };
}

export function createWorkspace(
  layout: ModelLayout,
  quantization: Quantization,
  workers: number,
): Workspace {
  const chunks = listChunks(layout);
  const fanIns = new Set(chunks.map(fanInOf));
  const tableBytes = 65_536 * (quantization === 'F16' ? 2 : 4);
  const workersAt = fanIns.size * tableBytes;
  const slotsAt = workersAt + workers * (stateBytes + stripWeightCount * 4);
  const slotBytes = roundUp(Math.max(...chunks.map(({ bytes }) => bytes)), cacheLineBytes);
  // Each worker fills one while one waits; three more for the consumer: one is hashed and written,
  // the one before is perhaps still being written, the next is there.
  const slotCount = 2 * workers + 3;
  const memory = createSharedMemory(slotsAt + slotCount * slotBytes);

  const quantiles = computeNormalQuantiles();
  const tableOfFanIn = new Map<number, number>();
  for (const fanIn of fanIns) {
    const offset = tableOfFanIn.size * tableBytes;
    const table = computeWeightTable(quantiles, fanIn, quantization);
    new Uint8Array(memory.buffer, offset, tableBytes).set(new Uint8Array(table.buffer));
    tableOfFanIn.set(fanIn, offset);
  }
  const control = new Int32Array(new SharedArrayBuffer(4 * (slotCountersAt + slotCount)));
  return { memory, control, slotCount, slotBytes, tableOfFanIn, workersAt, slotsAt };
}

/** Elements of a row of the chunk's matrix. */
export function fanInOf({ tensor }: Chunk): number {
  return tensor.shape[0] as number;
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
