import { z } from 'zod';
import { architectureSchema, nameSchema, seedSchema } from '../formats/architecture.ts';
import { designSchema } from '../formats/space.ts';

/** More levels on one axis than a design of at most 1,000 architectures tells apart. */
const maximumLevels = 16;
/** A level below the last one would lie twice in the space. */
const levelsOf = (level: z.ZodNumber) =>
  z
    .array(level)
    .min(1)
    .max(maximumLevels)
    .refine((levels) => levels.every((value, at) => at === 0 || value > levels[at - 1]!), {
      message: 'levels must increase',
    });

const { headDim, headCount, layerCount, vocabularySize } = architectureSchema.shape;

/** What a space is designed from; the same request gives the same space on every machine. */
export const designRequestSchema = z.strictObject({
  seed: seedSchema,
  architectureCount: z.int().min(1).max(1000),
  axes: z.strictObject({
    headDim: levelsOf(headDim),
    headCount: levelsOf(headCount),
    gqaRatio: levelsOf(headCount),
    mlpRatio: levelsOf(z.number().positive().max(64)),
    layerCount: levelsOf(layerCount),
  }),
  parameterCount: designSchema.shape.parameterCount.refine(
    ({ minimum, maximum }) => minimum <= maximum,
    { message: 'minimum is more than maximum' },
  ),
  vocabularySize,
  name: nameSchema,
  description: z.string(),
  weightSeed: seedSchema,
});
export type DesignRequest = z.infer<typeof designRequestSchema>;
