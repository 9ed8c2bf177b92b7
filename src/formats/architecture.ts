import { z } from 'zod';

/** Names become parts of file names, so they are short and plain. */
export const nameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit',
  );

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal');

const count = (maximum: number) => z.int().min(1).max(maximum);

/** A dense Llama-family decoder. Lengths are numbers of elements. */
export const architectureSchema = z.strictObject({
  name: nameSchema,
  headDim: count(1024),
  headCount: count(1024),
  kvHeadCount: count(1024),
  feedForwardLength: count(1 << 20),
  layerCount: count(512), // LLAMA_MAX_LAYERS
  vocabularySize: count(1 << 22),
});
export type Architecture = z.infer<typeof architectureSchema>;

/** Formats that models are generated in. */
export const quantizationSchema = z.enum(['F16', 'Q8_0', 'Q4_0']);
export type Quantization = z.infer<typeof quantizationSchema>;

/** The same and those of other people's files: Q4_K_M, BF16. */
export const quantizationLabelSchema = z
  .string()
  .regex(/^[A-Za-z0-9_]{1,32}$/, 'must be 1 to 32 letters, digits or "_"');

export const phaseSchema = z.enum(['prefill', 'decode']);
export type Phase = z.infer<typeof phaseSchema>;

export const sequenceLengthSchema = z
  .int()
  .min(1)
  .max(1 << 20);
export const seedSchema = z
  .int()
  .min(0)
  .max(2 ** 32 - 1);

/** S where it may be 0: a decode from an empty cache. */
export const contextLengthSchema = z
  .int()
  .min(0)
  .max(1 << 20);

/** As many as the longest context has tokens. */
export const mostDecodeSteps = 1 << 20;

/** How an item's work differs from what its protocol says; absent: not at all. */
const otherWork = {
  /** Tokens that are in the cache before a prefill's timer starts. */
  depth: contextLengthSchema.min(1).optional(),
  /** Steps of a decode. */
  decodeSteps: z.int().min(1).max(mostDecodeSteps).optional(),
  /** Which of the plan's backends and option sets. */
  variant: nameSchema.optional(),
};

/** What a condition or an item does, apart from its model. */
export const workSchema = z.strictObject({ sequenceLength: contextLengthSchema, ...otherWork });
export type Work = z.infer<typeof workSchema>;

/** What is analysed: one condition in one phase. */
export const itemSchema = z.strictObject({
  architecture: nameSchema,
  quantization: quantizationLabelSchema,
  sequenceLength: contextLengthSchema,
  phase: phaseSchema,
  ...otherWork,
});
export type Item = z.infer<typeof itemSchema>;

/** Items of the public tables: of generated models, under a protocol's own execution. */
export const tableItemSchema = z.strictObject({
  architecture: nameSchema,
  quantization: quantizationSchema,
  sequenceLength: sequenceLengthSchema,
  phase: phaseSchema,
});

/** Its work alone, out of whatever holds more. */
export function workOf({ sequenceLength, depth, decodeSteps, variant }: Work): Work {
  return {
    sequenceLength,
    ...(depth === undefined ? {} : { depth }),
    ...(decodeSteps === undefined ? {} : { decodeSteps }),
    ...(variant === undefined ? {} : { variant }),
  };
}

/** The item alone, out of whatever holds more. */
export function itemOf(holder: Item): Item {
  const { architecture, quantization, phase } = holder;
  const { sequenceLength, ...other } = workOf(holder);
  return { architecture, quantization, sequenceLength, phase, ...other };
}

/** Two works with the same key are the same work. */
export function workKey({ sequenceLength, depth, decodeSteps, variant }: Work): string {
  const others = [depth, decodeSteps, variant];
  if (others.every((other) => other === undefined)) return String(sequenceLength);
  return [sequenceLength, ...others.map((other) => other ?? '-')].join('/');
}

/** `mid Q8_0 S512 decode`: an item as people write it. */
export function formatItem(item: Item): string {
  return `${formatCondition(item)} ${item.phase}`;
}

/** `mid Q8_0 S512`, and in what its work differs: `S512 after 4096`, `S0 128 steps`, `[t4]`. */
export function formatCondition(item: Item): string {
  const { architecture, quantization, sequenceLength, depth, decodeSteps, variant } = item;
  const work = [
    `S${sequenceLength}`,
    ...(depth === undefined ? [] : [`after ${depth}`]),
    ...(decodeSteps === undefined ? [] : [`${decodeSteps} steps`]),
    ...(variant === undefined ? [] : [`[${variant}]`]),
  ];
  return `${architecture} ${quantization} ${work.join(' ')}`;
}
