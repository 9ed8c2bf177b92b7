import type { Architecture, Quantization } from '../formats/architecture.ts';
import { countElements, countTensorBytes, listTensors, type TensorType } from '../space/tensors.ts';
import { encodeHeader } from './header.ts';
import { alignment, listMetadata, type MetadataEntry } from './metadata.ts';

export interface PlacedTensor {
  name: string;
  /** Row length (fan-in) first, then the number of rows. */
  shape: readonly number[];
  role: 'norm' | 'matrix';
  type: TensorType;
  elementCount: number;
  /** From the start of the tensor data, as the file states it. */
  offset: number;
  /** Without the zeros that fill it up to the alignment. */
  bytes: number;
}

export interface ModelLayout {
  metadata: readonly MetadataEntry[];
  tensors: readonly PlacedTensor[];
  /** Everything before the tensor data, its padding included. */
  header: Uint8Array;
  /** Exact size of the file. */
  fileBytes: number;
}

/**
 * Where everything lies in a model's file (GGUF version 3).
 * @param architecture one in which `findArchitectureFaults` finds nothing.
 */
export function layoutModel(
  architecture: Architecture,
  quantization: Quantization,
  weightSeed: number,
): ModelLayout {
  const metadata = listMetadata({ architecture, quantization, weightSeed });
  let dataBytes = 0;
  const tensors = listTensors(architecture).map((tensor): PlacedTensor => {
    const type = tensor.role === 'norm' ? 'F32' : quantization;
    const elementCount = countElements(tensor);
    const bytes = countTensorBytes(type, elementCount);
    const offset = dataBytes;
    dataBytes += bytes + countPadding(bytes);
    return { ...tensor, type, elementCount, offset, bytes };
  });
  const header = encodeHeader(metadata, tensors);
  return { metadata, tensors, header, fileBytes: header.length + dataBytes };
}

/** Zeros that follow `bytes` bytes up to the next aligned place. */
export function countPadding(bytes: number): number {
  return (alignment - (bytes % alignment)) % alignment;
}
