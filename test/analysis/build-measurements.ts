import type { MeasuredTrial, Measurements } from '../../src/analysis/measurements.ts';
import type { Phase } from '../../src/formats/architecture.ts';
import type { Declaration } from '../../src/formats/plan.ts';

/** One item's trial means by round, in ns; null is a failed trial, undefined one that was not begun. */
export interface GivenItem {
  times: (number | null | undefined)[];
  phase?: Phase;
  isReference?: boolean;
}

export const declaration: Declaration = {
  question: 'Do two items differ by 10 %?',
  targetDifference: 0.1,
  comparisonFamily: 'all items',
  closureRule: { rule: 'largest-endpoint-distance', maxShareOfTarget: 0.5 },
  tailsAreAGoal: false,
};

/**
 * Trial means without repetitions, as a table has them. In even rounds the items stand in their
 * order, in odd ones the other way round. Each item is an architecture of its own: item-0, item-1.
 */
export function buildMeasurements(
  given: readonly GivenItem[],
  changes: Partial<Measurements> = {},
): Measurements {
  const rounds = Math.max(0, ...given.map(({ times }) => times.length));
  const trials: MeasuredTrial[] = [];
  for (let round = 0; round < rounds; round++) {
    const order = given.map((_, item) => item);
    if (round % 2 === 1) order.reverse();
    order.forEach((item, position) => {
      const time = given[item]!.times[round];
      if (time === undefined) return;
      trials.push({
        trial: trials.length,
        item,
        round,
        position,
        session: null,
        attempts: 1,
        state: time === null ? 'failed' : 'observed',
        processNs: time === null ? null : 1_000_000,
        sum: time === null ? null : BigInt(time),
        inTrialCv: time === null ? null : 0.001,
        inTrialPasses: time === null ? null : true,
        wallNs: null,
        prepareNs: null,
      });
    });
  }
  return {
    name: 'given',
    items: given.map(({ phase = 'decode', isReference = false }, index) => ({
      item: {
        architecture: `item-${index}`,
        quantization: 'Q8_0',
        sequenceLength: 512,
        phase,
      },
      isReference,
      partOfSpace: true,
    })),
    trials,
    unitsPerNs: 1n,
    phases: ['prefill', 'decode'],
    decodeSteps: 64,
    declaration,
    targetDifference: null,
    rules: {
      source: 'protocol',
      stable: { maxRelativeRange: 0.05, maxInTrialCv: 0.05 },
      drift: { minRounds: 10, edgeRounds: 5, above: 0.05 },
    },
    repetitions: null,
    planned: trials.length,
    environmentDifferences: null,
    watchesFirstItem: false,
    ...changes,
  };
}
