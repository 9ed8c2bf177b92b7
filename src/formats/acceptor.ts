import { z } from 'zod';
import type { $ZodType, $ZodTypes } from 'zod/v4/core';

/** Says whether a decoded JSON value is what a schema takes, and nothing about why not. */
export type Acceptor = (value: unknown) => boolean;

/**
 * A schema as one predicate that allocates nothing: some four times faster than parsing, for
 * formats with a hundred thousand lines. It takes exactly what the schema takes, as far as decoded
 * JSON goes, except that no object may have a key `__proto__`. Kinds of schema that it does not
 * know are left to the schema itself. Only for schemas that change nothing in what they parse.
 */
export function compileAcceptor(schema: z.ZodType): Acceptor {
  return compile(schema);
}

function compile(schema: $ZodType): Acceptor {
  const type = schema as $ZodTypes;
  const { def } = type._zod;
  switch (def.type) {
    case 'string':
    case 'number':
      return compileLeaf(type);
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'null':
      return (value) => value === null;
    case 'literal':
    case 'enum': {
      const values = type._zod.values as ReadonlySet<unknown>;
      return (value) => values.has(value);
    }
    case 'nullable': {
      const inner = compile(def.innerType);
      return (value) => value === null || inner(value);
    }
    case 'optional': {
      const inner = compile(def.innerType);
      return (value) => value === undefined || inner(value);
    }
    case 'array': {
      if (def.checks?.length) break;
      const element = compile(def.element);
      return (value) => Array.isArray(value) && value.every(element);
    }
    case 'record': {
      const { keyType } = def;
      const anyKey = (keyType as $ZodTypes)._zod.def;
      if (anyKey.type !== 'string' || anyKey.checks?.length) break;
      return compileRecord(compile(def.valueType));
    }
    case 'object':
      if (def.checks?.length || (def.catchall as $ZodTypes | undefined)?._zod.def.type !== 'never')
        break;
      return compileObject(def.shape);
    case 'union':
      if (!('discriminator' in def)) return compileUnion(def.options.map(compile));
      return compileChoice(def.discriminator as string, def.options);
  }
  return (value) => z.safeParse(schema, value).success;
}

/** Strings and numbers: only with the checks that formats use; else left to the schema. */
function compileLeaf(schema: $ZodTypes): Acceptor {
  const { def } = schema._zod;
  const tests: Acceptor[] = [];
  for (const check of [schema as unknown as CheckHolder, ...(def.checks ?? [])]) {
    const test = compileCheck((check as CheckHolder)._zod.def);
    if (test === null) return (value) => z.safeParse(schema, value).success;
    tests.push(test);
  }
  const kind = def.type;
  const hasKind: Acceptor =
    kind === 'number' ? Number.isFinite : (value) => typeof value === 'string';
  return (value) => hasKind(value) && tests.every((test) => test(value));
}

interface CheckHolder {
  _zod: { def: Record<string, unknown> };
}

function compileCheck(def: Record<string, unknown>): Acceptor | null {
  const { check, format, pattern, value: limit, inclusive } = def;
  if (check === undefined) return () => true; // a plain string or number
  if (check === 'number_format' && format === 'safeint') return Number.isSafeInteger;
  if (check === 'string_format' && pattern instanceof RegExp && !pattern.global) {
    return (value) => pattern.test(value as string);
  }
  if (typeof limit !== 'number') return null;
  if (check === 'greater_than') {
    return inclusive ? (value) => (value as number) >= limit : (value) => (value as number) > limit;
  }
  if (check === 'less_than') {
    return inclusive ? (value) => (value as number) <= limit : (value) => (value as number) < limit;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function compileRecord(member: Acceptor): Acceptor {
  return (value) => {
    if (!isObject(value)) return false;
    for (const key in value) if (key === '__proto__' || !member(value[key])) return false;
    return true;
  };
}

function compileObject(shape: Readonly<Record<string, $ZodType>>): Acceptor {
  const members = new Map(Object.entries(shape).map(([key, type]) => [key, compile(type)]));
  const needed = [...members].filter(([, accepts]) => !accepts(undefined)).length;
  const optional = new Set(
    [...members].filter(([, accepts]) => accepts(undefined)).map(([key]) => key),
  );
  return (value) => {
    if (!isObject(value)) return false;
    let found = 0;
    for (const key in value) {
      const accepts = members.get(key);
      if (accepts === undefined || !accepts(value[key])) return false;
      if (!optional.has(key)) found += 1;
    }
    return found === needed;
  };
}

function compileUnion(options: readonly Acceptor[]): Acceptor {
  return (value) => options.some((accepts) => accepts(value));
}

function compileChoice(discriminator: string, options: readonly $ZodType[]): Acceptor {
  const byValue = new Map<unknown, Acceptor>();
  for (const option of options) {
    const accepts = compile(option);
    for (const value of option._zod.propValues?.[discriminator] ?? []) byValue.set(value, accepts);
  }
  return (value) => isObject(value) && (byValue.get(value[discriminator])?.(value) ?? false);
}
