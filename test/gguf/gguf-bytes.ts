/** GGUF files made by hand, so that a test can say anything in one. */

export type Value =
  | { uint8: number }
  | { int8: number }
  | { uint16: number }
  | { int16: number }
  | { uint32: number }
  | { int32: number }
  | { float32: number }
  | { bool: boolean }
  | { string: string }
  | { array: Value[]; of: ElementType }
  | { uint64: bigint }
  | { int64: bigint }
  | { float64: number };

type ElementType = (typeof types)[number];

const types = [
  'uint8',
  'int8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'float32',
  'bool',
  'string',
  'array',
  'uint64',
  'int64',
  'float64',
] as const;

export interface RawTensor {
  name: string;
  shape: number[];
  /** ggml's number. */
  type: number;
  offset: number;
}

export interface RawFile {
  version?: number;
  pairs?: Record<string, Value>;
  tensors?: RawTensor[];
  /** Bytes of tensor data after the padding. */
  dataBytes?: number;
  alignment?: number;
}

export const uint32 = (value: number): Value => ({ uint32: value });
export const string = (value: string): Value => ({ string: value });
export const array = (of: ElementType, values: Value[]): Value => ({ array: values, of });

/** The pairs that a model of the family `llama` needs at least. */
export const llamaPairs: Record<string, Value> = {
  'general.architecture': string('llama'),
  'llama.block_count': uint32(2),
};

export function encodeFile(file: RawFile): Buffer {
  const header = encodeRawHeader(file);
  const alignment = file.alignment ?? 32;
  const dataAt = Math.ceil(header.length / alignment) * alignment;
  return Buffer.concat([header], dataAt + (file.dataBytes ?? 0));
}

export function encodeRawHeader({ version = 3, pairs = {}, tensors = [] }: RawFile): Buffer {
  return Buffer.concat([
    Buffer.from('GGUF'),
    bytesOf(4, (view) => view.setUint32(0, version, true)),
    length(tensors.length),
    length(Object.keys(pairs).length),
    ...Object.entries(pairs).flatMap(([key, value]) => [text(key), typeOf(value), encode(value)]),
    ...tensors.flatMap(({ name, shape, type, offset }) => [
      text(name),
      number32(shape.length),
      ...shape.map(length),
      number32(type),
      length(offset),
    ]),
  ]);
}

export function length(value: number | bigint): Buffer {
  return bytesOf(8, (view) => view.setBigUint64(0, BigInt(value), true));
}

export function number32(value: number): Buffer {
  return bytesOf(4, (view) => view.setUint32(0, value, true));
}

export function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([length(bytes.length), bytes]);
}

function typeOf(value: Value): Buffer {
  const name = 'array' in value ? 'array' : (Object.keys(value)[0] as ElementType);
  return number32(types.indexOf(name));
}

function encode(value: Value): Buffer {
  if ('uint8' in value) return bytesOf(1, (view) => view.setUint8(0, value.uint8));
  if ('int8' in value) return bytesOf(1, (view) => view.setInt8(0, value.int8));
  if ('uint16' in value) return bytesOf(2, (view) => view.setUint16(0, value.uint16, true));
  if ('int16' in value) return bytesOf(2, (view) => view.setInt16(0, value.int16, true));
  if ('uint32' in value) return number32(value.uint32);
  if ('int32' in value) return bytesOf(4, (view) => view.setInt32(0, value.int32, true));
  if ('float32' in value) return bytesOf(4, (view) => view.setFloat32(0, value.float32, true));
  if ('bool' in value) return bytesOf(1, (view) => view.setUint8(0, value.bool ? 1 : 0));
  if ('string' in value) return text(value.string);
  if ('uint64' in value) return length(value.uint64);
  if ('int64' in value) return bytesOf(8, (view) => view.setBigInt64(0, value.int64, true));
  if ('float64' in value) return bytesOf(8, (view) => view.setFloat64(0, value.float64, true));
  return Buffer.concat([
    number32(types.indexOf(value.of)),
    length(value.array.length),
    ...value.array.map(encode),
  ]);
}

function bytesOf(count: number, fill: (view: DataView) => void): Buffer {
  const bytes = Buffer.alloc(count);
  fill(new DataView(bytes.buffer, bytes.byteOffset, count));
  return bytes;
}
