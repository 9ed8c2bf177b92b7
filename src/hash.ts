import { hash } from 'node:crypto';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * Canonical JSON as in RFC 8785: no white space, object keys sorted by UTF-16 code units, numbers
 * and strings as ECMAScript writes them. Members that are `undefined` are left out.
 * @throws TypeError for values JSON cannot hold (NaN, infinities, functions, lone surrogates).
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`JSON cannot hold the number ${value}`);
    return JSON.stringify(value);
  }
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new TypeError('JSON cannot hold a lone surrogate');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${canonicalJson(key)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  throw new TypeError(`JSON cannot hold a ${typeof value}`);
}

/** Lower-case hexadecimal SHA-256 of bytes or of a string's UTF-8. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** Identity of a structured value: SHA-256 of its canonical JSON. */
export function identityOf(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}
