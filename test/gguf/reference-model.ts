/** A model's whole file made plainly, by one thread and without WebAssembly. */
import type { Quantization } from '../../src/formats/architecture.ts';
import { seedChunk, splitTensor } from '../../src/gguf/chunks.ts';
import { toFloat16Bits } from '../../src/gguf/float16.ts';
import { layoutModel } from '../../src/gguf/layout.ts';
import type { ModelSpec } from '../../src/gguf/model-spec.ts';
import { computeNormalQuantiles } from '../../src/gguf/normal-quantiles.ts';
import { drawUint16s, quantizeQ4_0, quantizeQ8_0 } from './reference-kernels.ts';

/** The weights of every matrix by name, before quantization. */
export function generateWeights(model: ModelSpec): Map<string, Float32Array> {
  const { architecture, quantization, weightSeed } = model;
  const { tensors } = layoutModel(architecture, quantization, weightSeed);
  const quantiles = computeNormalQuantiles();
  const matrices = tensors.filter((tensor) => tensor.role === 'matrix');
  return new Map(
    matrices.map((tensor) => {
      const deviation = Math.fround(1 / Math.sqrt(tensor.shape[0] as number));
      const weights = new Float32Array(tensor.elementCount);
      let done = 0;
      for (const chunk of splitTensor(tensor)) {
        for (const drawn of drawUint16s(seedChunk(model, chunk), chunk.weightCount)) {
          weights[done++] = (quantiles[drawn] as number) * deviation;
        }
      }
      return [tensor.name, weights];
    }),
  );
}

/** The bytes of the file. */
export function encodeModel(model: ModelSpec): Uint8Array {
  const { architecture, quantization, weightSeed } = model;
  const { header, tensors, fileBytes } = layoutModel(architecture, quantization, weightSeed);
  const weightsOf = generateWeights(model);
  const file = new Uint8Array(fileBytes);
  file.set(header);
  for (const { name, elementCount, offset } of tensors) {
    const weights = weightsOf.get(name);
    const bytes =
      weights === undefined
        ? new Uint8Array(new Float32Array(elementCount).fill(1).buffer)
        : encodeWeights(weights, quantization);
    file.set(bytes, header.length + offset);
  }
  return file;
}

function encodeWeights(weights: Float32Array, quantization: Quantization): Uint8Array {
  if (quantization === 'Q8_0') return quantizeQ8_0(weights);
  if (quantization === 'Q4_0') return quantizeQ4_0(weights);
  return new Uint8Array(Uint16Array.from(weights, toFloat16Bits).buffer);
}
