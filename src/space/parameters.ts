import type { Architecture, Quantization } from '../formats/architecture.ts';
import {
  countElements,
  countTensorBytes,
  listLayerTensors,
  listOuterTensors,
  type Tensor,
} from './tensors.ts';

/** Exact number of parameters, norms included. */
export function countParameters(architecture: Architecture): number {
  return sumOverTensors(architecture, countElements);
}

/** Exact bytes of all tensors: the file without its header and padding. */
export function countWeightBytes(architecture: Architecture, quantization: Quantization): number {
  return sumOverTensors(architecture, (tensor) =>
    countTensorBytes(tensor.role === 'norm' ? 'F32' : quantization, countElements(tensor)),
  );
}

/**
 * Exact bytes of keys and values of `tokens` cached tokens.
 * @param bytesPerElement 2 in an F16 cache.
 */
export function countKvBytes(
  { headDim, kvHeadCount, layerCount }: Architecture,
  tokens: number,
  bytesPerElement = 2,
): number {
  return 2 * layerCount * headDim * kvHeadCount * tokens * bytesPerElement;
}

/** All layers are alike, so one is enough: a design counts thousands of candidates. */
function sumOverTensors(architecture: Architecture, measure: (tensor: Tensor) => number): number {
  const sum = (tensors: readonly Tensor[]) =>
    tensors.reduce((total, tensor) => total + measure(tensor), 0);
  return (
    sum(listOuterTensors(architecture)) +
    architecture.layerCount * sum(listLayerTensors(architecture, 0))
  );
}
