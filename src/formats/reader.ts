import { z } from 'zod';
import type { $ZodType, $ZodTypes } from 'zod/v4/core';
import {
  codeOf,
  expect,
  matches,
  readInteger,
  readNumber,
  readString,
  writeArray,
  writeLiterals,
  writeRecord,
  writeUnion,
} from './reader-text.ts';

/** @returns undefined for what it does not read, which may be right all the same. */
export type Reader<Value> = (bytes: Uint8Array) => Value | undefined;

/**
 * A schema as a reader of canonical JSON that reads, checks and sees the form in one pass over the
 * bytes: as fast as `JSON.parse` alone, for formats with a hundred thousand lines. What it reads,
 * `JSON.parse` reads the same, the schema takes and `canonicalJson` writes in the same bytes. It
 * knows ASCII only, and not every kind of schema; the rest is left to those three.
 *
 * The reader is generated as JavaScript, as zod's own are: closures take twice as long. Nothing but
 * the schema goes into its text.
 * @param schema changes nothing in what it parses
 */
export function compileReader<Value>(schema: z.ZodType<Value>): Reader<Value> {
  const program = new ReaderProgram();
  const whole = program.readerOf(schema);
  return program.compile(whole) as Reader<Value>;
}

/**
 * Functions that each read one kind of value at `at` from `bytes`, of which `text` is the same, move
 * `at` behind it and return it, or return `no` and leave `at` anywhere.
 */
class ReaderProgram {
  readonly #functions: string[] = [];
  readonly #readers = new Map<$ZodType, string>();
  /** What the text refers to as constants[i]: patterns, schemas. */
  readonly #constants: unknown[] = [];

  compile(whole: string): Reader<unknown> {
    const text = `'use strict';
      const no = Symbol('not read');
      let bytes, text, at;
      function never() { return no; }
      function readKey() { ${readString} return value; }
      ${this.#functions.join('\n')}
      return (line) => {
        bytes = line instanceof Buffer ? line : Buffer.from(line); text = bytes.latin1Slice(); at = 0;
        const value = ${whole}();
        return value === no || at !== bytes.length ? undefined : value;
      };`;
    return new Function('constants', text)(this.#constants);
  }

  /** @returns the name of the function that reads what the schema takes */
  readerOf(schema: $ZodType): string {
    const known = this.#readers.get(schema);
    if (known !== undefined) return known;
    const body = this.#write(schema as $ZodTypes);
    const name = body === null ? 'never' : `read${this.#functions.length}`;
    if (body !== null) this.#functions.push(`function ${name}() { ${body} }`);
    this.#readers.set(schema, name);
    return name;
  }

  /** @returns null for a kind of schema that is not known */
  #write(schema: $ZodTypes): string | null {
    const { def } = schema._zod;
    switch (def.type) {
      case 'string':
        return `${readString} ${this.#writeChecks(schema)} return value;`;
      case 'number':
        return this.#writeNumber(schema);
      case 'null':
        return writeLiterals([null]);
      case 'boolean':
        return writeLiterals([false, true]);
      case 'literal':
      case 'enum':
        return writeLiterals([...(schema._zod.values as ReadonlySet<unknown>)]);
      case 'nullable':
        return `if (${matches('null')}) { at += 4; return null; } return ${this.readerOf(def.innerType)}();`;
      case 'array':
        return def.checks?.length ? null : writeArray(this.readerOf(def.element));
      case 'record':
        return takesAnyKey(def.keyType) ? writeRecord(this.readerOf(def.valueType)) : null;
      case 'object': {
        const isStrict = (def.catchall as $ZodTypes | undefined)?._zod.def.type === 'never';
        return isStrict && !def.checks?.length ? this.#writeObject(def.shape) : null;
      }
      case 'union': {
        const options = def.options.map((option) => this.readerOf(option));
        return writeUnion(options);
      }
    }
    return null;
  }

  #writeNumber(schema: $ZodTypes): string {
    const isInteger = checksOf(schema).some(({ format }) => format === 'safeint');
    return `${isInteger ? readInteger : readNumber} ${this.#writeChecks(schema)} return value;`;
  }

  /** Checks that are not known are left to the schema. */
  #writeChecks(schema: $ZodTypes): string {
    const constant = (value: unknown) => `constants[${this.#constants.push(value) - 1}]`;
    const tests = checksOf(schema).map(({ check, format, pattern, value, inclusive }) => {
      if (check === 'number_format' && format === 'safeint') return 'true'; // so few digits are safe
      if (check === 'greater_than' && typeof value === 'number') {
        return `value ${inclusive ? '>=' : '>'} ${value}`;
      }
      if (check === 'string_format' && pattern instanceof RegExp && !pattern.global) {
        return `${constant(pattern)}.test(value)`;
      }
      return `${constant((value: unknown) => z.safeParse(schema, value).success)}(value)`;
    });
    return tests.map((test) => `if (!(${test})) return no;`).join(' ');
  }

  #writeObject(shape: Readonly<Record<string, $ZodType>>): string {
    const keys = Object.keys(shape).sort();
    const members = keys.map((key, index) => {
      const { def } = (shape[key] as $ZodTypes)._zod;
      const isOptional = def.type === 'optional';
      const read = this.readerOf(isOptional ? def.innerType : shape[key]!);
      const text = `${JSON.stringify(key)}:`;
      return { key, index, isOptional, read, text };
    });
    const hasOptional = members.some(({ isOptional }) => isOptional);
    if (!hasOptional) {
      const lines = members.map(({ index, read, text }) => {
        const head = `${index === 0 ? '{' : ','}${text}`;
        return `if (!(${matches(head)})) return no; at += ${head.length};
          const value${index} = ${read}(); if (value${index} === no) return no;`;
      });
      const literal = members.map(({ key, index }) => `${JSON.stringify(key)}: value${index}`);
      const start = members.length === 0 ? expect('{') : '';
      return `${start} ${lines.join('\n')} ${expect('}')} return { ${literal.join(', ')} };`;
    }
    const lines = members.map(
      ({ key, isOptional, read, text }) => `
        start = at + found;
        if ((found === 0 || bytes[at] === ${codeOf(',')}) && ${matches(text, 'start')}) {
          at = start + ${text.length}; found = 1;
          const value = ${read}(); if (value === no) return no;
          object[${JSON.stringify(key)}] = value;
        } ${isOptional ? '' : 'else return no;'}`,
    );
    return `${expect('{')} const object = {}; let found = 0, start; ${lines.join('\n')} ${expect('}')}
      return object;`;
  }
}

function takesAnyKey(keyType: $ZodType): boolean {
  const { def } = (keyType as $ZodTypes)._zod;
  return def.type === 'string' && !def.checks?.length;
}

interface CheckHolder {
  _zod: { def: Record<string, unknown> };
}

/** Of a string or number: the schema itself can be one. */
function checksOf(schema: $ZodTypes): Record<string, unknown>[] {
  const holders = [schema, ...(schema._zod.def.checks ?? [])] as unknown as CheckHolder[];
  return holders.map(({ _zod }) => _zod.def).filter(({ check }) => check !== undefined);
}
