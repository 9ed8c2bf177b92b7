import { type Architecture, quantizationSchema } from '../formats/architecture.ts';
import type { Condition } from '../formats/space.ts';
import { createRandom, shuffled } from '../random.ts';

/** Tokens; the length at which the quantizations are compared. */
const commonLength = 512;
/** Tokens; a quarter, twice and four times the common length. */
const otherLengths = [128, 1024, 2048];

/**
 * The conditions of a designed space: every architecture in every quantization at the common
 * length, then each once more in Q8_0 at another length. Of any three architectures that follow
 * each other in size, each gets another one of those lengths, in an order drawn from the seed.
 * @param architectures in the order of their size.
 */
export function planConditions(architectures: readonly Architecture[], seed: number): Condition[] {
  const random = createRandom(`space-design/lengths/${seed}`);
  const lengths: number[] = [];
  while (lengths.length < architectures.length) lengths.push(...shuffled(otherLengths, random));
  return [
    ...architectures.flatMap(({ name }) =>
      quantizationSchema.options.map((quantization) => ({
        architecture: name,
        quantization,
        sequenceLength: commonLength,
      })),
    ),
    ...architectures.map(({ name }, index) => ({
      architecture: name,
      quantization: 'Q8_0' as const,
      sequenceLength: lengths[index]!,
    })),
  ];
}
