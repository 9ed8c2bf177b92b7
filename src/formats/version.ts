import { z } from 'zod';

/** Version 1 of a format; any other is refused with what is known, never guessed at. */
export const versionOneSchema = z.literal(1, {
  error: ({ input }) =>
    `is ${JSON.stringify(input) ?? 'missing'}; this version of rooflaw knows format version 1 only`,
});
