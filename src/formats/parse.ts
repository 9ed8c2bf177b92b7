import type { z } from 'zod';
import { type Fault, RooflawError, throwFaults } from '../errors.ts';

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

export function decodeJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RooflawError('invalid-input', `${subject} is not JSON: ${(cause as Error).message}`, {
      hint: 'check that this is the file you meant and that it is complete',
      cause,
    });
  }
}
