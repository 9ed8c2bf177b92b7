import { type Fault, RooflawError } from '../errors.ts';
import { parseValue } from '../formats/parse.ts';
import type { Space } from '../formats/space.ts';
import { canonicalJson } from '../hash.ts';
import { designSpace } from './design.ts';
import { designRequestSchema } from './design-request.ts';

/** Whether the design block of a sound space tells the truth: made again, it gives this very space. */
export function findDesignFaults(space: Space): Fault[] {
  if (space.design === null) return [];
  const { seed, axes, parameterCount } = space.design;
  const request = {
    seed,
    axes,
    parameterCount,
    architectureCount: space.architectures.length,
    vocabularySize: space.architectures[0]!.vocabularySize,
    name: space.name,
    description: space.description,
    weightSeed: space.weightSeed,
  };
  try {
    const designed = designSpace(parseValue(designRequestSchema, request, 'design'));
    if (canonicalJson(designed) === canonicalJson(space)) return [];
  } catch (error) {
    if (!(error instanceof RooflawError)) throw error;
  }
  return [
    {
      where: 'design',
      what: 'this design does not give these architectures and conditions',
      hint: 'set design to null in a space that was edited by hand',
    },
  ];
}
