import type { RawValue } from './raw-row.ts';

export type ParsedObject =
  | { state: 'complete'; end: number; fields: Map<string, RawValue>; repeated: string[] }
  | { state: 'broken'; at: number; lastField: string | null };

/** llama-bench's rows are flat; deeper nesting than this is no row. */
const maxDepth = 16;

/**
 * Numbers as C++ prints them too: `-nan`, `-nan(ind)` and `inf` are no JSON, but llama-bench writes
 * them where its formula fails.
 */
const number = /-?(?:1\.#[A-Z]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|nan(?:\([a-z]*\))?|inf(?:inity)?)/iy;
const space = /[ \t\r\n]*/y;

/**
 * Reads one JSON object that begins at `start`, keeping numbers as they are written: integers
 * beyond 2^53 lose nothing. It never looks further than where the object ends or breaks.
 */
export function parseJsonObject(text: string, start: number): ParsedObject {
  const cursor = new Cursor(text, start);
  const fields = new Map<string, RawValue>();
  const repeated: string[] = [];
  try {
    cursor.readMembers(0, (name, value) => {
      if (fields.has(name)) repeated.push(name);
      fields.set(name, value);
    });
    return { state: 'complete', end: cursor.at, fields, repeated };
  } catch (error) {
    if (error !== broken) throw error;
    return { state: 'broken', at: cursor.at, lastField: [...fields.keys()].at(-1) ?? null };
  }
}

/** One for all: a stack for each broken row would take longer than reading it. */
const broken = new Error('broken JSON');

class Cursor {
  readonly text: string;
  at: number;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  readMembers(depth: number, onMember: (name: string, value: RawValue) => void): void {
    if (depth > maxDepth) throw broken;
    this.take('{');
    if (this.takeIf('}')) return;
    do {
      const name = this.readString();
      this.take(':');
      onMember(name, this.readValue(depth + 1));
    } while (this.takeIf(','));
    this.take('}');
  }

  readValue(depth: number): RawValue {
    this.skipSpace();
    const start = this.at;
    const first = this.text[start];
    if (first === '"') return { kind: 'string', text: this.readString() };
    if (first === '{') {
      this.readMembers(depth, () => {});
      return { kind: 'object', text: this.text.slice(start, this.at) };
    }
    if (first === '[') return this.readArray(depth);
    for (const [word, value] of words) {
      if (this.text.startsWith(word, start)) {
        this.at += word.length;
        return value;
      }
    }
    const match = this.match(number);
    if (match === '') throw broken;
    return { kind: 'number', text: match };
  }

  readArray(depth: number): RawValue {
    if (depth > maxDepth) throw broken;
    const start = this.at;
    const items: RawValue[] = [];
    this.take('[');
    if (!this.takeIf(']')) {
      do items.push(this.readValue(depth + 1));
      while (this.takeIf(','));
      this.take(']');
    }
    return { kind: 'array', text: this.text.slice(start, this.at), items };
  }

  readString(): string {
    this.skipSpace();
    const start = this.at;
    if (this.text[start] !== '"') throw broken;
    let end = start + 1;
    while (this.text[end] !== '"') {
      // a string of JSON holds no line break: a cut one is not read on into the next row
      if (end >= this.text.length || this.text[end] === '\n') {
        this.at = end;
        throw broken;
      }
      end += this.text[end] === '\\' ? 2 : 1;
    }
    this.at = end + 1;
    try {
      return JSON.parse(this.text.slice(start, this.at)) as string;
    } catch {
      throw broken;
    }
  }

  skipSpace(): void {
    this.match(space);
  }

  match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  takeIf(character: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  take(character: string): void {
    if (!this.takeIf(character)) throw broken;
  }
}

const words: readonly (readonly [string, RawValue])[] = [
  ['true', { kind: 'boolean', text: '1' }],
  ['false', { kind: 'boolean', text: '0' }],
  ['null', { kind: 'null', text: '' }],
];
