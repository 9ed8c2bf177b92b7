import type { Fault } from '../errors.ts';
import { formatWhole } from '../units.ts';
import { findTensorFileType, type TensorFileType } from './file-types.ts';
import {
  damagedHint,
  HeaderCursor,
  type PieceRequest,
  type Reading,
  readLength,
  Unreadable,
} from './header-cursor.ts';
import { type HeaderValue, readValue, readValueType } from './header-value.ts';

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

export type HeaderReading =
  | { state: 'read'; header: Header }
  /** What follows the fault cannot be read. */
  | { state: 'broken'; fault: Fault };

/** The models known have some hundred pairs and some thousand tensors. */
const mostPairs = 100_000;
const mostTensors = 100_000;
/** Bytes, as the format says. */
const longestKey = 65_535;
/** Bytes. ggml takes 63, other builds of it more. */
const longestTensorName = 1024;
/** ggml's. */
const mostDimensions = 4;
/** Bytes: length of the key, one character, type, one byte of value. */
const shortestPair = 8 + 1 + 4 + 1;
/** Bytes: length of the name, number of dimensions, type, offset. */
const shortestTensor = 8 + 4 + 4 + 8;

/**
 * Reads the header of a GGUF file, version 2 or 3, little-endian, without touching files: it yields
 * the piece of the file it wants next and is resumed with its bytes (fewer: the file ends there).
 * Values of long arrays and texts are passed over. Time and memory are bounded whatever the bytes
 * say. Only what stops the reading is a fault here; see model-file.ts for the rest.
 * @param fileBytes size of the whole file.
 */
export function* readHeader(fileBytes: number): Generator<PieceRequest, HeaderReading, Uint8Array> {
  try {
    const cursor = new HeaderCursor(fileBytes);
    return { state: 'read', header: yield* readWholeHeader(cursor) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { state: 'broken', fault: error.fault };
  }
}

function* readWholeHeader(cursor: HeaderCursor): Reading<Header> {
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

function* readVersion(cursor: HeaderCursor): Reading<number> {
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
function requireRoom(
  { where, fileBytes, position }: HeaderCursor,
  tensors: number,
  pairs: number,
): void {
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

function* readTensor(cursor: HeaderCursor): Reading<HeaderTensor> {
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

function* readName(cursor: HeaderCursor, longest: number): Reading<string> {
  const byteLength = yield* readLength(cursor);
  if (byteLength > longest) {
    const what = `a name of ${formatWhole(byteLength)} bytes; at most ${formatWhole(longest)} are read`;
    throw new Unreadable(cursor.where, what);
  }
  cursor.countName(byteLength);
  return yield* cursor.takeText(byteLength);
}

/** A name as it stands in a fault. */
export function quoteName(name: string): string {
  return name.length > 80 ? `"${name.slice(0, 80)}…"` : `"${name}"`;
}
