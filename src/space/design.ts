import { type Fault, throwFaults } from '../errors.ts';
import type { Architecture } from '../formats/architecture.ts';
import type { Design, Space } from '../formats/space.ts';
import { createRandom } from '../random.ts';
import { type Candidate, enumerateCandidates } from './candidates.ts';
import { planConditions } from './conditions.ts';
import type { DesignRequest } from './design-request.ts';
import { shareOfLogRange } from './log-range.ts';
import { chooseMaximin } from './maximin.ts';

/**
 * A space designed from a seed: the range of parameter counts is cut into as many strata of equal
 * logarithmic width as there are architectures, and a maximin search takes one from each.
 * The same request gives the same space on every machine.
 * @throws RooflawError `invalid-input` naming every stratum without a candidate.
 */
export function designSpace(request: DesignRequest): Space {
  const { seed, axes, parameterCount, architectureCount, vocabularySize } = request;
  const candidates = enumerateCandidates({ axes, parameterCount }, vocabularySize);
  const strata = stratify(candidates, parameterCount, architectureCount);
  throwFaults(`design ${request.name}`, findEmptyStrata(strata, parameterCount));
  const chosen = chooseMaximin(strata, createRandom(`space-design/architectures/${seed}`));
  const architectures = nameBySize(chosen);
  return {
    format: 'rooflaw-space',
    formatVersion: 1,
    name: request.name,
    description: request.description,
    weightSeed: request.weightSeed,
    design: {
      method: 'seeded-maximin',
      seed,
      candidateCount: candidates.length,
      axes,
      parameterCount,
    },
    architectures,
    conditions: planConditions(architectures, seed),
  };
}

function stratify(
  candidates: readonly Candidate[],
  range: Design['parameterCount'],
  count: number,
): Candidate[][] {
  const strata: Candidate[][] = Array.from({ length: count }, () => []);
  for (const candidate of candidates) {
    const share = shareOfLogRange(candidate.parameterCount, range);
    strata[Math.min(count - 1, Math.floor(count * share))]!.push(candidate);
  }
  return strata;
}

function findEmptyStrata(strata: readonly Candidate[][], range: Design['parameterCount']): Fault[] {
  return strata.flatMap((stratum, index) =>
    stratum.length > 0
      ? []
      : {
          where: `stratum ${index + 1} of ${strata.length}`,
          what: `no combination of the axes has a parameter count in this part of ${range.minimum} to ${range.maximum}`,
          hint: 'add levels to an axis, narrow the range of parameter counts, or ask for fewer architectures',
        },
  );
}

/** `a01` is the smallest: strata are in the order of their parameter counts. */
function nameBySize(chosen: readonly Candidate[]): Architecture[] {
  const digits = Math.max(2, String(chosen.length).length);
  return chosen.map(({ architecture }, index) => ({
    name: `a${String(index + 1).padStart(digits, '0')}`,
    ...architecture,
  }));
}
