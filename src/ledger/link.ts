import { canonicalJson } from '../hash.ts';
import { decodeLine } from './decode-line.ts';

/** What ties a line to the one before; null where the line has no such member. */
export interface Link {
  isCanonical: boolean;
  prev: string | null;
  seq: number | null;
}

/** Reads how a line is tied, without reading what it says. null when it is no JSON in UTF-8. */
export function readLink(bytes: Uint8Array): Link | null {
  return scanLink(bytes) ?? parseLink(bytes);
}

function parseLink(bytes: Uint8Array): Link | null {
  const line = decodeLine(bytes);
  if (line === null) return null;
  const { prev, seq } = (line.value ?? {}) as { prev?: unknown; seq?: unknown };
  return {
    isCanonical: isCanonical(line.text, line.value),
    prev: typeof prev === 'string' ? prev : null,
    seq: typeof seq === 'number' ? seq : null,
  };
}

function isCanonical(text: string, value: unknown): boolean {
  try {
    return canonicalJson(value) === text;
  } catch {
    return false; // a lone surrogate
  }
}

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Integers of so many digits are written by ECMAScript as they stand. */
const mostExactDigits = 15;
const deepest = 64;

/**
 * The link of an object that is canonical JSON beyond doubt: nothing but ASCII without escapes, keys
 * in order, numbers as ECMAScript writes them. null when there is doubt, not only when it is not. One
 * pass over the bytes that makes no objects: five times faster than parsing and writing again.
 */
export function scanLink(bytes: Uint8Array): Link | null {
  let at = 0;
  let prev: string | null = null;
  let seq: number | null = null;
  const textBetween = (start: number, end: number) =>
    String.fromCharCode(...bytes.subarray(start, end));

  function scanString(): boolean {
    if (bytes[at] !== quote) return false;
    for (at += 1; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === quote) {
        at += 1;
        return true;
      }
      if (byte < 0x20 || byte > 0x7e || byte === backslash) return false;
    }
    return false;
  }

  function scanNumber(): boolean {
    const start = at;
    if (bytes[at] === minus) at += 1;
    const first = at;
    while (bytes[at]! >= zero && bytes[at]! <= nine) at += 1;
    const digits = at - first;
    const isFraction = /[.eE]/.test(String.fromCharCode(bytes[at] ?? 0));
    if (!isFraction) {
      if (digits === 1) return bytes[first] !== zero || start === first; // -0 is written 0
      return digits > 1 && digits <= mostExactDigits && bytes[first] !== zero;
    }
    while (/[-+.eE0-9]/.test(String.fromCharCode(bytes[at] ?? 0))) at += 1;
    const text = textBetween(start, at);
    return Number.isFinite(Number(text)) && String(Number(text)) === text;
  }

  function scanWord(word: string): boolean {
    if (textBetween(at, at + word.length) !== word) return false;
    at += word.length;
    return true;
  }

  function isAfter(lastStart: number, lastEnd: number, start: number, end: number): boolean {
    for (let offset = 0; ; offset++) {
      if (start + offset >= end) return false;
      if (lastStart + offset >= lastEnd) return true;
      const difference = bytes[start + offset]! - bytes[lastStart + offset]!;
      if (difference !== 0) return difference > 0;
    }
  }

  function scanObject(depth: number): boolean {
    at += 1;
    if (bytes[at] === closeBrace) {
      at += 1;
      return true;
    }
    let lastStart = 0;
    let lastEnd = -1;
    for (;;) {
      const start = at + 1;
      if (!scanString()) return false;
      const end = at - 1;
      if (lastEnd >= 0 && !isAfter(lastStart, lastEnd, start, end)) return false;
      [lastStart, lastEnd] = [start, end];
      if (bytes[at] !== colon) return false;
      at += 1;
      const valueStart = at;
      if (!scanValue(depth + 1)) return false;
      if (depth === 0) takeLink(start, end, valueStart);
      if (bytes[at] === closeBrace) {
        at += 1;
        return true;
      }
      if (bytes[at] !== comma) return false;
      at += 1;
    }
  }

  function takeLink(start: number, end: number, valueStart: number): void {
    if (end - start === 4 && textBetween(start, end) === 'prev') {
      prev = bytes[valueStart] === quote ? textBetween(valueStart + 1, at - 1) : null;
    } else if (end - start === 3 && textBetween(start, end) === 'seq') {
      const value = Number(textBetween(valueStart, at));
      seq = bytes[valueStart] === quote || Number.isNaN(value) ? null : value;
    }
  }

  function scanArray(depth: number): boolean {
    at += 1;
    if (bytes[at] === closeBracket) {
      at += 1;
      return true;
    }
    for (;;) {
      if (!scanValue(depth + 1)) return false;
      if (bytes[at] === closeBracket) {
        at += 1;
        return true;
      }
      if (bytes[at] !== comma) return false;
      at += 1;
    }
  }

  function scanValue(depth: number): boolean {
    if (depth > deepest) return false;
    switch (bytes[at]) {
      case quote:
        return scanString();
      case openBrace:
        return scanObject(depth);
      case openBracket:
        return scanArray(depth);
      case 0x74:
        return scanWord('true');
      case 0x66:
        return scanWord('false');
      case 0x6e:
        return scanWord('null');
      default:
        return scanNumber();
    }
  }

  const isSure = bytes[0] === openBrace && scanObject(0) && at === bytes.length;
  return isSure ? { isCanonical: true, prev, seq } : null;
}
