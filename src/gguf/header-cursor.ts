import type { Fault } from '../errors.ts';
import { formatWhole } from '../units.ts';

/** Bytes of a file that the parser wants next. */
export interface PieceRequest {
  offset: number;
  length: number;
}

/** Reads a value of the header, asking for pieces of the file as it needs them. */
export type Reading<Value> = Generator<PieceRequest, Value, Uint8Array>;

/** Bytes asked for at a time, unless the file ends before. */
const pieceBytes = 2 ** 20;
/** Bytes of all values that are kept, and of all names, so that no file can fill the memory. */
const keptBytes = 2 ** 25;
const mostNameBytes = 2 ** 26;
/** Texts of all arrays that are passed over: they have no fixed size, so each must be visited. */
const mostVisited = 2 ** 25;

export const damagedHint = 'the file is damaged or was cut short: copy or download it again';

/** What follows the place cannot be read. */
export class Unreadable extends Error {
  readonly fault: Fault;

  constructor(where: string, what: string, hint = damagedHint) {
    super(what);
    this.fault = { where, what, hint };
  }
}

/** A place in the file, and the piece of it that is at hand. */
export class HeaderCursor {
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

/** A 64-bit length or count; from 2^53 on it is rounded, and no file has room for it. */
export function* readLength(cursor: HeaderCursor): Reading<number> {
  return Number((yield* cursor.take(8)).getBigUint64(0, true));
}
