import { kernelsBase64 } from './kernels.generated.ts';

/** The part of the WebAssembly API in use; Node's types do not declare it. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum: number; shared: true });
    readonly buffer: SharedArrayBuffer;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: { rooflaw: { memory: Memory } });
    readonly exports: object;
  }
}

/** Memory that all threads and their kernels see. */
export type SharedMemory = WebAssembly.Memory;

/** Bytes of a WebAssembly page. */
const pageBytes = 65_536;

export function createSharedMemory(bytes: number): SharedMemory {
  const pages = Math.ceil(bytes / pageBytes);
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

/** The functions of kernels.wat, which says what they do. Pointers are byte offsets in the memory. */
export interface Kernels {
  fillF16(state: number, table: number, destination: number, count: number): void;
  fillF32(state: number, table: number, destination: number, count: number): void;
  quantizeQ8_0(source: number, destination: number, blockCount: number): void;
  quantizeQ4_0(source: number, destination: number, blockCount: number): void;
}

export function instantiateKernels(memory: SharedMemory): Kernels {
  const module = new WebAssembly.Module(Buffer.from(kernelsBase64, 'base64'));
  return new WebAssembly.Instance(module, { rooflaw: { memory } }).exports as Kernels;
}
