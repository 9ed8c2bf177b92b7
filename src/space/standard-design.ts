import type { Design } from '../formats/space.ts';

/** What a design holds when nothing else is asked for: the ranges of `spaces/llama-25.json`. */
export const standardDesign = {
  architectureCount: 25,
  /** Tokens, as in Llama and Llama 2. */
  vocabularySize: 32_000,
  axes: {
    /** 64, 96 and 128 are in use; 32 is the least that fills a quantization block. */
    headDim: [32, 64, 96, 128],
    headCount: [4, 8, 12, 16, 24, 32],
    /** From as many KV heads as query heads to an eighth, as in Llama 3 70B. */
    gqaRatio: [1, 2, 4, 8],
    /** Llama has 2.7 to 3.5; binary fractions, so that the product with a length is exact. */
    mlpRatio: [2, 2.75, 3.5, 4.25],
    layerCount: [4, 8, 12, 16, 24, 32],
  },
  /** Parameters: from where loading dominates to 3 GB in F16, which a small GPU holds. */
  parameterCount: { minimum: 20_000_000, maximum: 1_500_000_000 },
} satisfies Pick<Design, 'axes' | 'parameterCount'> & Record<string, unknown>;

export function describeDesign(architectureCount: number): string {
  return `${architectureCount} dense Llama-family decoders, spread over head dimension, head count, GQA ratio, MLP ratio, layer count and parameter count by a seeded maximin design. Each in F16, Q8_0 and Q4_0 at 512 tokens, and in Q8_0 at one of 128, 1,024 and 2,048 tokens.`;
}
