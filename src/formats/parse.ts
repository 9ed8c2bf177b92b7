import { z } from 'zod';
import { type Fault, RooflawError, throwFaults } from '../errors.ts';
import { findDuplicateKeys } from './duplicate-keys.ts';

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

/** @throws RooflawError `invalid-input` for what is no JSON, or names a member twice. */
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
