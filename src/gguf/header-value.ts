import { toPrintable } from '../printable.ts';
import { formatWhole } from '../units.ts';
import { type HeaderCursor, type Reading, readLength, Unreadable } from './header-cursor.ts';

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

/** Elements; an array of a value for each layer is far shorter, a list of tokens far longer. */
const longestKeptArray = 1024;
/** Bytes; a chat template is shorter. */
const longestKeptText = 2 ** 18;
/** Bytes of memory that an element of an array takes, about. */
const elementCost = 64;
/** Texts that an inner array counts as; it takes longer, and no model known has one. */
const innerArrayCost = 64;
const deepestNesting = 8;

export function* readValueType(cursor: HeaderCursor): Reading<ValueType> {
  const number = (yield* cursor.take(4)).getUint32(0, true);
  const type = valueTypes[number];
  if (type === undefined) {
    throw new Unreadable(cursor.where, `a value of type ${number}, which GGUF does not have`);
  }
  return type;
}

export function* readValue(
  cursor: HeaderCursor,
  type: ValueType,
  depth: number,
): Reading<HeaderValue> {
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

function* readArray(cursor: HeaderCursor, depth: number): Reading<HeaderValue> {
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
  cursor: HeaderCursor,
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

/** A safe whole number of one of the integer types, else null. */
export function integerOf(entry: HeaderValue | undefined): number | null {
  if (entry === undefined || !/^u?int/.test(entry.type) || !('value' in entry)) return null;
  return Number.isSafeInteger(entry.value) ? (entry.value as number) : null;
}

/** A value as it stands in a fault: `is 3 (uint32)`. */
export function describeValue(entry: HeaderValue): string {
  if (entry.type === 'array')
    return `is an array of ${formatWhole(entry.length)} ${entry.elementType}`;
  if (entry.type === 'string') return `is "${toPrintable(entry.value ?? '…').slice(0, 40)}"`;
  return `is ${entry.value} (${entry.type})`;
}
