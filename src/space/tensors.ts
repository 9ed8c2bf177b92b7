import type { Architecture, Quantization } from '../formats/architecture.ts';

/** How a tensor's elements are stored: norms in F32, every other tensor in the quantization. */
export type TensorType = 'F32' | Quantization;

export interface Tensor {
  /** llama.cpp's name, such as `blk.0.attn_q.weight`. */
  name: string;
  /** Elements, as ggml counts: the row length (fan-in) first, then the number of rows. */
  shape: readonly [number] | readonly [number, number];
  role: 'norm' | 'matrix';
}

/**
 * Bytes of 32 elements: a float each, or (ggml) a block of 32 whose F16 scale comes before one byte
 * (Q8_0) or four bits (Q4_0) an element.
 */
const bytesOf32Elements: Record<TensorType, number> = {
  F32: 32 * 4,
  F16: 32 * 2,
  Q8_0: 2 + 32,
  Q4_0: 2 + 16,
};

/** @param elementCount a multiple of 32, as every row length of a sound architecture is. */
export function countTensorBytes(type: TensorType, elementCount: number): number {
  return (elementCount / 32) * bytesOf32Elements[type];
}

export function countElements({ shape: [rowLength, rowCount = 1] }: Tensor): number {
  return rowLength * rowCount;
}

export function embeddingLengthOf({ headDim, headCount }: Architecture): number {
  return headDim * headCount;
}

/** Embedding, final norm and output, which is not tied to the embedding. */
export function listOuterTensors(architecture: Architecture): [Tensor, Tensor, Tensor] {
  const embedding = embeddingLengthOf(architecture);
  const { vocabularySize } = architecture;
  return [
    { name: 'token_embd.weight', shape: [embedding, vocabularySize], role: 'matrix' },
    { name: 'output_norm.weight', shape: [embedding], role: 'norm' },
    { name: 'output.weight', shape: [embedding, vocabularySize], role: 'matrix' },
  ];
}

/** The nine tensors of layer `layer`, counted from 0. */
export function listLayerTensors(architecture: Architecture, layer: number): Tensor[] {
  const embedding = embeddingLengthOf(architecture);
  const { feedForwardLength: feedForward, headDim, kvHeadCount } = architecture;
  const kv = headDim * kvHeadCount;
  const norm = (name: string): Tensor => ({
    name: `blk.${layer}.${name}.weight`,
    shape: [embedding],
    role: 'norm',
  });
  const matrix = (name: string, rowLength: number, rowCount: number): Tensor => ({
    name: `blk.${layer}.${name}.weight`,
    shape: [rowLength, rowCount],
    role: 'matrix',
  });
  return [
    norm('attn_norm'),
    matrix('attn_q', embedding, embedding),
    matrix('attn_k', embedding, kv),
    matrix('attn_v', embedding, kv),
    matrix('attn_output', embedding, embedding),
    norm('ffn_norm'),
    matrix('ffn_gate', embedding, feedForward),
    matrix('ffn_up', embedding, feedForward),
    matrix('ffn_down', feedForward, embedding),
  ];
}

/** Every tensor of a model in the order of its file. */
export function listTensors(architecture: Architecture): Tensor[] {
  const [embedding, outputNorm, output] = listOuterTensors(architecture);
  const layers = Array.from({ length: architecture.layerCount }, (_, layer) =>
    listLayerTensors(architecture, layer),
  );
  return [embedding, ...layers.flat(), outputNorm, output];
}
