import { z } from 'zod';
import { type Fault, RooflawError, throwFaults } from '../errors.ts';
import { findDuplicateKeys, isNestedDeeper } from './duplicate-keys.ts';

/** `conditions[3].sequenceLength`: the way a person would write the place. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text === '' ? '(whole file)' : text;
}

/** Every fault of `value` against a schema, each with its place. */
export function faultsOf(schema: z.ZodType, value: unknown): Fault[] {
  const result = schema.safeParse(value);
  if (result.success) return [];
  return result.error.issues.map((issue) => ({
    where: formatPath(issue.path),
    what: issue.message,
  }));
}

/**
 * The members of an object whose own form is right, for checks that go on beside faulty ones, so
 * that one look shows every fault.
 */
export function readableMembers<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  value: unknown,
): Partial<z.output<z.ZodObject<Shape>>> {
  if (typeof value !== 'object' || value === null) return {};
  const members = Object.entries(schema.shape).flatMap(([name, member]) => {
    const parsed = z.safeParse(member, (value as Record<string, unknown>)[name]);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(members);
}

/**
 * Checks an already decoded JSON value.
 * @param subject what is read, for the message: a file name or "plan".
 * @throws RooflawError `invalid-input` listing all faults at once.
 */
export function parseValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  subject: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throwFaults(subject, faultsOf(schema, value));
  throw new Error('a failed parse has at least one fault');
}

/** Decodes and checks JSON text. @throws RooflawError `invalid-input` */
export function parseText<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  subject: string,
): z.output<Schema> {
  return parseValue(schema, decodeJson(text, subject), subject);
}

/** No format of ours is half as deep; what is checked goes down as deep as its text. */
const deepestNesting = 64;

/** @throws RooflawError `invalid-input` for what is no JSON, is nested too deep, or names a member twice. */
export function decodeJson(text: string, subject: string): unknown {
  const json = text.replace(/^\ufeff/, ''); // editors of Windows put a byte order mark there
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new RooflawError('invalid-input', `${subject} is not JSON: ${(cause as Error).message}`, {
      hint: 'check that this is the file you meant and that it is complete',
      cause,
    });
  }
  if (isNestedDeeper(json, deepestNesting)) {
    const what = `is nested more than ${deepestNesting} deep`;
    throwFaults(subject, [
      { where: formatPath([]), what, hint: 'check that this is the file you meant' },
    ]);
  }
  throwFaults(
    subject,
    findHalfCharacters(json, value).map((where) => ({
      where,
      what: 'holds half of a character (a lone surrogate), which no file in UTF-8 can hold',
    })),
  );
  throwFaults(
    subject,
    findDuplicateKeys(json).map((where) => ({
      where,
      what: 'stands here twice',
      hint: 'remove one',
    })),
  );
  return value;
}

/** Where strings hold a lone surrogate; only an escape such as `\\ud800` can put it there. */
function findHalfCharacters(json: string, value: unknown): string[] {
  const found: string[] = [];
  const look = (one: unknown, path: readonly PropertyKey[]) => {
    if (typeof one === 'string' && !one.isWellFormed()) found.push(formatPath(path));
    if (typeof one !== 'object' || one === null || found.length >= mostListed) return;
    for (const [key, member] of Object.entries(one)) {
      if (!key.isWellFormed()) found.push(formatPath(path));
      look(member, [...path, Array.isArray(one) ? Number(key) : key]);
    }
  };
  if (/\\u[dD][89a-fA-F]/.test(json)) look(value, []);
  return found;
}

/** Places of one kind of mistake. */
const mostListed = 20;
