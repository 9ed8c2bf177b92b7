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

export const quantizationSchema = z.enum(['F16', 'Q8_0', 'Q4_0']);
export type Quantization = z.infer<typeof quantizationSchema>;

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

/** What is analysed: one condition in one phase. */
export const itemSchema = z.strictObject({
  architecture: nameSchema,
  quantization: quantizationSchema,
  sequenceLength: sequenceLengthSchema,
  phase: phaseSchema,
});
export type Item = z.infer<typeof itemSchema>;

/** `mid Q8_0 S512 decode`: an item as people write it. */
export function formatItem(item: Item): string {
  return `${item.architecture} ${item.quantization} S${item.sequenceLength} ${item.phase}`;
}
