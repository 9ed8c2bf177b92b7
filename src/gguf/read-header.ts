import type { Fault } from '../errors.ts';
import { formatWhole } from '../units.ts';
import { findTensorFileType, type TensorFileType } from './file-types.ts';

/** GGUF's value types, each at its number in a file. */
const valueTypes = [
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
export type ValueType = (typeof valueTypes)[number];

export type HeaderValue =
  | { type: 'bool'; value: boolean }
  /** 64-bit integers that a number cannot hold exactly are a bigint. */
  | { type: Exclude<ValueType, 'bool' | 'string' | 'array'>; value: number | bigint }
  /** `value` is null when the text is too long to be kept. */
  | { type: 'string'; byteLength: number; value: string | null }
  /** `values` is null when the array is too long to be kept. */
  | {
      type: 'array';
      elementType: ValueType;
      length: number;
      values: readonly HeaderValue[] | null;
    };

export interface HeaderTensor {
  name: string;
  /** Elements, the row length first; no dimension at all is one element. */
  shape: readonly number[];
  elementCount: number;
  typeNumber: number;
  /** Null: unknown here. */
  type: TensorFileType | null;
  /** From the start of the tensor data, as the file states it. */
  offset: number;
}

export interface Header {
  version: number;
  metadata: ReadonlyMap<string, HeaderValue>;
  tensors: readonly HeaderTensor[];
  /** Bytes up to the end of the last tensor's description. */
  headerBytes: number;
}

/** Bytes of a file that the parser wants next. */
export interface PieceRequest {
  offset: number;
  length: number;
}

export type HeaderReading =
  | { state: 'read'; header: Header }
  /** What follows the fault cannot be read. */
  | { state: 'broken'; fault: Fault };

/** Bytes asked for at a time, unless the file ends before. */
const pieceBytes = 2 ** 20;
/** The models known have some hundred pairs and some thousand tensors. */
const mostPairs = 100_000;
const mostTensors = 100_000;
/** Bytes, as the format says. */
const longestKey = 65_535;
/** Bytes. ggml takes 63, other builds of it more. */
const longestTensorName = 1024;
/** ggml's. */
const mostDimensions = 4;
/** Elements; an array of a value for each layer is far shorter, a list of tokens far longer. */
const longestKeptArray = 1024;
/** Bytes; a chat template is shorter. */
const longestKeptText = 2 ** 18;
/** Bytes of all values that are kept, and of all names, so that no file can fill the memory. */
const keptBytes = 2 ** 25;
const mostNameBytes = 2 ** 26;
/** Bytes of memory that an element of an array takes, about. */
const elementCost = 64;
/** Texts of all arrays that are passed over: they have no fixed size, so each must be visited. */
const mostVisited = 2 ** 25;
/** Texts that an inner array counts as; it takes longer, and no model known has one. */
const innerArrayCost = 64;
const deepestNesting = 8;
/** Bytes: length of the key, one character, type, one byte of value. */
const shortestPair = 8 + 1 + 4 + 1;
/** Bytes: length of the name, number of dimensions, type, offset. */
const shortestTensor = 8 + 4 + 4 + 8;

const damagedHint = 'the file is damaged or was cut short: copy or download it again';

/**
 * Reads the header of a GGUF file, version 2 or 3, little-endian, without touching files: it yields
 * the piece of the file it wants next and is resumed with its bytes (fewer: the file ends there).
 * Values of long arrays and texts are passed over. Time and memory are bounded whatever the bytes
 * say. Only what stops the reading is a fault here; see model-file.ts for the rest.
 * @param fileBytes size of the whole file.
 */
export function* readHeader(fileBytes: number): Generator<PieceRequest, HeaderReading, Uint8Array> {
  try {
    const cursor = new Cursor(fileBytes);
    return { state: 'read', header: yield* readWholeHeader(cursor) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { state: 'broken', fault: error.fault };
  }
}

type Reading<Value> = Generator<PieceRequest, Value, Uint8Array>;

class Unreadable extends Error {
  readonly fault: Fault;

  constructor(where: string, what: string, hint = damagedHint) {
    super(what);
    this.fault = { where, what, hint };
  }
}

function* readWholeHeader(cursor: Cursor): Reading<Header> {
  const version = yield* readVersion(cursor);
  cursor.where = 'the counts at byte 8';
  const tensorCount = yield* readLength(cursor);
  const pairCount = yield* readLength(cursor);
  requireRoom(cursor, tensorCount, pairCount);

  const metadata = new Map<string, HeaderValue>();
  for (let index = 0; index < pairCount; index++) {
    cursor.where = `metadata pair ${index + 1} of ${pairCount}`;
    const key = yield* readName(cursor, longestKey);
    cursor.where = `metadata ${quoteName(key)}`;
    if (key === '') throw new Unreadable(cursor.where, 'has no name');
    if (metadata.has(key)) throw new Unreadable(cursor.where, 'is there twice');
    metadata.set(key, yield* readValue(cursor, yield* readValueType(cursor), 0));
  }

  const tensors: HeaderTensor[] = [];
  const names = new Set<string>();
  for (let index = 0; index < tensorCount; index++) {
    cursor.where = `tensor ${index + 1} of ${tensorCount}`;
    const tensor = yield* readTensor(cursor);
    if (names.has(tensor.name)) throw new Unreadable(cursor.where, 'is there twice');
    names.add(tensor.name);
    tensors.push(tensor);
  }
  return { version, metadata, tensors, headerBytes: cursor.position };
}

function* readVersion(cursor: Cursor): Reading<number> {
  const where = 'the first bytes';
  cursor.where = where;
  const start = yield* cursor.peek(Math.min(16, cursor.fileBytes));
  const text = Buffer.from(start).toString('latin1');
  if (!text.startsWith('GGUF')) throw new Unreadable(where, ...describeStranger(text));
  const version = (yield* cursor.take(8)).getUint32(4, true);
  if (version === 2 || version === 3) return version;
  if (version === 1) {
    const what = 'GGUF version 1, which llama.cpp no longer reads';
    throw new Unreadable(where, what, 'make the file anew with a current converter of llama.cpp');
  }
  if ((version & 0xffff) === 0 && version !== 0) {
    const what = 'GGUF for big-endian machines; only little-endian files are read';
    throw new Unreadable(where, what, 'take the little-endian file of the model');
  }
  const what = `GGUF version ${version}; versions 2 and 3 are known`;
  const newer = 'look for a newer Rooflaw, or for a file in version 3';
  throw new Unreadable(where, what, version > 3 && version < 1000 ? newer : damagedHint);
}

/** What a file that is no GGUF is, as far as its first bytes tell, and what to try. */
function describeStranger(start: string): [what: string, hint: string] {
  const convert = "convert it with llama.cpp's convert_hf_to_gguf.py";
  if (start.startsWith('version https://')) {
    return ['no GGUF but a pointer of Git LFS to one', 'fetch the file itself: git lfs pull'];
  }
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(start)) {
    return ['no GGUF but a web page', 'download the file itself, not the page that shows it'];
  }
  if (start.startsWith('PK\x03\x04')) return ['no GGUF but a ZIP or PyTorch file', convert];
  if (start[8] === '{') return ['no GGUF but a safetensors file', convert];
  if (/^(?:lmgg|fmgg|tjgg|algg)/.test(start)) {
    return ['a GGML file, older than GGUF', 'take the GGUF file of the model'];
  }
  if (/^G?G?U?$/.test(start)) return ['the file ends within them', damagedHint];
  return ['no GGUF: such a file begins with the letters GGUF', 'name a file in GGUF format'];
}

/** Refuses counts that no file of this size can hold, before anything is made of them. */
function requireRoom({ where, fileBytes, position }: Cursor, tensors: number, pairs: number): void {
  const least = tensors * shortestTensor + pairs * shortestPair;
  if (least > fileBytes - position) {
    const counts = `${formatWhole(pairs)} metadata pairs and ${formatWhole(tensors)} tensors`;
    const what = `${counts} take more than the file's ${formatWhole(fileBytes)} bytes`;
    throw new Unreadable(where, what);
  }
  if (pairs > mostPairs || tensors > mostTensors) {
    const counts = `${formatWhole(pairs)} metadata pairs and ${formatWhole(tensors)} tensors`;
    const most = `${formatWhole(mostPairs)} and ${formatWhole(mostTensors)}`;
    throw new Unreadable(where, `${counts}; at most ${most} are read`);
  }
}

function* readTensor(cursor: Cursor): Reading<HeaderTensor> {
  const name = yield* readName(cursor, longestTensorName);
  cursor.where = `tensor ${quoteName(name)}`;
  const dimensions = (yield* cursor.take(4)).getUint32(0, true);
  if (dimensions > mostDimensions) {
    throw new Unreadable(cursor.where, `${dimensions} dimensions; ggml knows ${mostDimensions}`);
  }
  const shape: number[] = [];
  let elementCount = 1;
  for (let index = 0; index < dimensions; index++) {
    const length = yield* readLength(cursor);
    shape.push(length);
    elementCount *= length;
  }
  if (!shape.every(Number.isSafeInteger) || !Number.isSafeInteger(elementCount)) {
    throw new Unreadable(cursor.where, `more elements (${shape.join(' x ')}) than can be counted`);
  }
  const typeNumber = (yield* cursor.take(4)).getUint32(0, true);
  const offset = yield* readLength(cursor);
  if (!Number.isSafeInteger(offset)) throw new Unreadable(cursor.where, 'lies beyond any file');
  return { name, shape, elementCount, typeNumber, type: findTensorFileType(typeNumber), offset };
}

/** A 64-bit length or count; from 2^53 on it is rounded, and no file has room for it. */
function* readLength(cursor: Cursor): Reading<number> {
  return Number((yield* cursor.take(8)).getBigUint64(0, true));
}

function* readName(cursor: Cursor, longest: number): Reading<string> {
  const byteLength = yield* readLength(cursor);
  if (byteLength > longest) {
    const what = `a name of ${formatWhole(byteLength)} bytes; at most ${formatWhole(longest)} are read`;
    throw new Unreadable(cursor.where, what);
  }
  cursor.countName(byteLength);
  return yield* cursor.takeText(byteLength);
}

function* readValueType(cursor: Cursor): Reading<ValueType> {
  const number = (yield* cursor.take(4)).getUint32(0, true);
  const type = valueTypes[number];
  if (type === undefined) {
    throw new Unreadable(cursor.where, `a value of type ${number}, which GGUF does not have`);
  }
  return type;
}

function* readValue(cursor: Cursor, type: ValueType, depth: number): Reading<HeaderValue> {
  if (type === 'array') return yield* readArray(cursor, depth);
  if (type === 'string') {
    const byteLength = yield* readLength(cursor);
    cursor.requireInFile(byteLength);
    if (byteLength <= longestKeptText && cursor.mayKeep(byteLength)) {
      return { type, byteLength, value: yield* cursor.takeText(byteLength) };
    }
    cursor.skip(byteLength);
    return { type, byteLength, value: null };
  }
  const view = yield* cursor.take(scalarBytes[type]);
  if (type === 'bool') return { type, value: view.getUint8(0) !== 0 };
  return { type, value: readNumber[type](view) };
}

function* readArray(cursor: Cursor, depth: number): Reading<HeaderValue> {
  if (depth >= deepestNesting) {
    throw new Unreadable(cursor.where, `arrays nested more than ${deepestNesting} deep`);
  }
  const elementType = yield* readValueType(cursor);
  const length = yield* readLength(cursor);
  cursor.requireInFile(length * leastBytes(elementType));
  const values: HeaderValue[] = [];
  if (length <= longestKeptArray && cursor.mayKeep(length * elementCost)) {
    for (let index = 0; index < length; index++) {
      values.push(yield* readValue(cursor, elementType, depth + 1));
    }
    return { type: 'array', elementType, length, values };
  }
  yield* skipElements(cursor, elementType, length, depth);
  return { type: 'array', elementType, length, values: null };
}

function* skipElements(
  cursor: Cursor,
  type: ValueType,
  count: number,
  depth: number,
): Reading<void> {
  if (type !== 'string' && type !== 'array') {
    cursor.skip(count * scalarBytes[type]);
    return;
  }
  cursor.visit(type === 'array' ? count * innerArrayCost : count);
  for (let index = 0; index < count; index++) {
    if (type === 'string') {
      const byteLength = cursor.lengthAtHand() ?? (yield* readLength(cursor));
      cursor.requireInFile(byteLength);
      cursor.skip(byteLength);
      continue;
    }
    if (depth + 1 >= deepestNesting) {
      throw new Unreadable(cursor.where, `arrays nested more than ${deepestNesting} deep`);
    }
    const inner = yield* readValueType(cursor);
    const length = yield* readLength(cursor);
    cursor.requireInFile(length * leastBytes(inner));
    yield* skipElements(cursor, inner, length, depth + 1);
  }
}

/** A name as it stands in a fault. */
export function quoteName(name: string): string {
  return name.length > 80 ? `"${name.slice(0, 80)}…"` : `"${name}"`;
}

const scalarBytes: Record<Exclude<ValueType, 'string' | 'array'>, number> = {
  uint8: 1,
  int8: 1,
  uint16: 2,
  int16: 2,
  uint32: 4,
  int32: 4,
  float32: 4,
  bool: 1,
  uint64: 8,
  int64: 8,
  float64: 8,
};

/** Bytes that a value takes at least: a string its length, an array the type and the number. */
function leastBytes(type: ValueType): number {
  if (type === 'string') return 8;
  return type === 'array' ? 4 + 8 : scalarBytes[type];
}

const readNumber: Record<
  Exclude<ValueType, 'bool' | 'string' | 'array'>,
  (view: DataView) => number | bigint
> = {
  uint8: (view) => view.getUint8(0),
  int8: (view) => view.getInt8(0),
  uint16: (view) => view.getUint16(0, true),
  int16: (view) => view.getInt16(0, true),
  uint32: (view) => view.getUint32(0, true),
  int32: (view) => view.getInt32(0, true),
  float32: (view) => view.getFloat32(0, true),
  uint64: (view) => toExactNumber(view.getBigUint64(0, true)),
  int64: (view) => toExactNumber(view.getBigInt64(0, true)),
  float64: (view) => view.getFloat64(0, true),
};

function toExactNumber(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** A place in the file, and the piece of it that is at hand. */
class Cursor {
  readonly fileBytes: number;
  position = 0;
  /** What is being read, in words. */
  where = '';
  private piece = new DataView<ArrayBufferLike>(new ArrayBuffer(0));
  private pieceAt = 0;
  private kept = 0;
  private visited = 0;
  private nameBytes = 0;

  constructor(fileBytes: number) {
    this.fileBytes = fileBytes;
  }

  /** The bytes at the place, which stays. */
  *peek(count: number): Reading<Uint8Array> {
    this.requireInFile(count);
    if (!this.holds(count)) {
      const rest = this.fileBytes - this.position;
      const length = Math.min(Math.max(count, pieceBytes), rest);
      const { buffer, byteOffset, byteLength } = yield { offset: this.position, length };
      this.piece = new DataView(buffer, byteOffset, byteLength);
      this.pieceAt = this.position;
      if (byteLength < count) {
        throw new Unreadable(this.where, 'the file became shorter while it was read');
      }
    }
    const { buffer, byteOffset } = this.piece;
    return new Uint8Array(buffer, byteOffset + this.position - this.pieceAt, count);
  }

  *take(count: number): Reading<DataView> {
    const { buffer, byteOffset } = yield* this.peek(count);
    this.position += count;
    return new DataView(buffer, byteOffset, count);
  }

  /** UTF-8; wrong bytes become U+FFFD. */
  *takeText(byteLength: number): Reading<string> {
    this.requireInFile(byteLength);
    const bytes = yield* this.peek(byteLength);
    this.position += byteLength;
    return Buffer.from(bytes.buffer, bytes.byteOffset, byteLength).toString('utf8');
  }

  /** A 64-bit length, if it lies in the piece at hand: the fast way through long lists. */
  lengthAtHand(): number | undefined {
    if (!this.holds(8)) return undefined;
    const at = this.position - this.pieceAt;
    this.position += 8;
    return this.piece.getUint32(at, true) + this.piece.getUint32(at + 4, true) * 2 ** 32;
  }

  /** @param count bytes that were found to be in the file. */
  skip(count: number): void {
    this.position += count;
  }

  requireInFile(count: number): void {
    if (count <= this.fileBytes - this.position) return;
    const rest = formatWhole(this.fileBytes - this.position);
    const what = `needs ${formatWhole(count)} bytes at byte ${formatWhole(this.position)}, where the file has ${rest} left`;
    throw new Unreadable(this.where, what);
  }

  /** Whether so much may still be kept; if so, it counts as kept. */
  mayKeep(byteLength: number): boolean {
    if (this.kept + byteLength > keptBytes) return false;
    this.kept += byteLength;
    return true;
  }

  countName(byteLength: number): void {
    this.nameBytes += byteLength;
    if (this.nameBytes <= mostNameBytes) return;
    throw new Unreadable(
      this.where,
      `names of more than ${formatWhole(mostNameBytes)} bytes in all`,
    );
  }

  visit(count: number): void {
    this.visited += count;
    if (this.visited <= mostVisited) return;
    throw new Unreadable(this.where, 'arrays of more texts and arrays than can be passed over');
  }

  /** The place only moves forward, so it is never before the piece. */
  private holds(count: number): boolean {
    return this.position + count <= this.pieceAt + this.piece.byteLength;
  }
}
