import type { Architecture } from '../formats/architecture.ts';
import type { Design } from '../formats/space.ts';
import { findArchitectureFaults, quantizationBlockLength } from './constraints.ts';
import { shareOfLogRange } from './log-range.ts';
import { countParameters } from './parameters.ts';

/** An architecture that a design may choose, and where it lies. */
export interface Candidate {
  architecture: Omit<Architecture, 'name'>;
  parameterCount: number;
  /** headDim, headCount, gqaRatio, mlpRatio, layerCount: 0 at the first level, `axisSteps` at the last. */
  levels: readonly number[];
  /** The parameter count on a logarithmic scale, from 0 to `axisSteps`. */
  size: number;
}

/** Places are whole numbers, so that distances and their ties are exact on every machine. */
export const axisSteps = 1000;

/** feedForwardLength nearest to mlpRatio x embeddingLength among the multiples of a block, half up. */
export function feedForwardLengthOf(mlpRatio: number, embeddingLength: number): number {
  const blocks = Math.floor((mlpRatio * embeddingLength) / quantizationBlockLength + 0.5);
  return Math.max(1, blocks) * quantizationBlockLength;
}

/**
 * Every combination of the axes' levels that is a sound architecture within the range of parameter
 * counts, in the order of the levels. Levels lie evenly along their axis, whatever their values.
 */
export function enumerateCandidates(
  { axes, parameterCount: range }: Pick<Design, 'axes' | 'parameterCount'>,
  vocabularySize: number,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const headDim of placeLevels(axes.headDim)) {
    for (const headCount of placeLevels(axes.headCount)) {
      for (const gqaRatio of placeLevels(axes.gqaRatio)) {
        for (const mlpRatio of placeLevels(axes.mlpRatio)) {
          for (const layerCount of placeLevels(axes.layerCount)) {
            const architecture = {
              headDim: headDim.value,
              headCount: headCount.value,
              kvHeadCount: headCount.value / gqaRatio.value,
              feedForwardLength: feedForwardLengthOf(
                mlpRatio.value,
                headDim.value * headCount.value,
              ),
              layerCount: layerCount.value,
              vocabularySize,
            };
            if (!isSound(architecture)) continue;
            const parameterCount = countParameters({ name: 'candidate', ...architecture });
            if (parameterCount < range.minimum || parameterCount > range.maximum) continue;
            candidates.push({
              architecture,
              parameterCount,
              levels: [headDim, headCount, gqaRatio, mlpRatio, layerCount].map(({ at }) => at),
              size: Math.round(axisSteps * shareOfLogRange(parameterCount, range)),
            });
          }
        }
      }
    }
  }
  return candidates;
}

function isSound(architecture: Candidate['architecture']): boolean {
  if (!Number.isInteger(architecture.kvHeadCount)) return false;
  return findArchitectureFaults({ name: 'candidate', ...architecture }, '').length === 0;
}

function placeLevels(values: readonly number[]): { value: number; at: number }[] {
  const last = Math.max(1, values.length - 1);
  return values.map((value, level) => ({ value, at: Math.round((axisSteps * level) / last) }));
}
