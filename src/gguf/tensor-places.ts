/** Names of tensors with what each takes, in bytes. */
type TensorSizes = readonly (readonly [name: string, bytes: number])[];

/** What goes from tokens to the first layer. */
const isInput = /^(?:token_embd|position_embd|token_types|per_layer_token_embd)\./;

/** Bytes of everything before the first layer, by the names that llama.cpp gives tensors. */
export function sumInput(sizes: TensorSizes): number {
  return sizes.reduce((sum, [name, bytes]) => (isInput.test(name) ? sum + bytes : sum), 0);
}

/**
 * Bytes of each layer, from the first. A layer without a tensor has 0, also where a header says that
 * there are more layers than tensors.
 */
export function sumLayers(sizes: TensorSizes, layerCount: number): number[] {
  const bytes = new Array<number>(Math.min(layerCount, sizes.length)).fill(0);
  for (const [name, size] of sizes) {
    const layer = Number(/^blk\.(\d{1,9})\./.exec(name)?.[1] ?? -1);
    if (layer in bytes) bytes[layer]! += size;
  }
  return bytes;
}
