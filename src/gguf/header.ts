import type { TensorType } from '../space/tensors.ts';
import { alignment, type MetadataEntry } from './metadata.ts';

const formatVersion = 3;

/** GGUF's numbers of the value types in use. */
const valueTypeOf: Record<MetadataEntry['type'], number> = { uint32: 4, float32: 6, string: 8 };

/** ggml's numbers of the tensor types in use. */
const ggmlTypeOf: Record<TensorType, number> = { F32: 0, F16: 1, Q4_0: 2, Q8_0: 8 };

interface DescribedTensor {
  name: string;
  shape: readonly number[];
  type: TensorType;
  offset: number;
}

/**
 * GGUF 3, little-endian: magic, version, counts, key-value pairs, tensor descriptions, zeros up to
 * the alignment. A string is its length in bytes (64 bits) and its UTF-8.
 */
export function encodeHeader(
  metadata: readonly MetadataEntry[],
  tensors: readonly DescribedTensor[],
): Uint8Array {
  const parts: Buffer[] = [];
  const uint32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    parts.push(bytes);
  };
  const uint64 = (value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    parts.push(bytes);
  };
  const float32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    parts.push(bytes);
  };
  const string = (value: string) => {
    const bytes = Buffer.from(value, 'utf8');
    uint64(bytes.length);
    parts.push(bytes);
  };

  parts.push(Buffer.from('GGUF', 'latin1'));
  uint32(formatVersion);
  uint64(tensors.length);
  uint64(metadata.length);
  for (const entry of metadata) {
    string(entry.key);
    uint32(valueTypeOf[entry.type]);
    if (entry.type === 'string') string(entry.value);
    else if (entry.type === 'float32') float32(entry.value);
    else uint32(entry.value);
  }
  for (const { name, shape, type, offset } of tensors) {
    string(name);
    uint32(shape.length);
    for (const length of shape) uint64(length);
    uint32(ggmlTypeOf[type]);
    uint64(offset);
  }
  const described = Buffer.concat(parts);
  return Buffer.concat([described], Math.ceil(described.length / alignment) * alignment);
}
