import { describeDisturbance } from '../analysis/compare-disturbance.ts';
import type { AbPair } from '../formats/ab.ts';
import type { Analysis } from '../formats/analysis.ts';
import type { Disturbance } from '../formats/comparison.ts';
import type { FollowedComparison, SequentialAnalysis } from '../formats/sequential.ts';
import type { BenchTest } from '../llama-bench/options/request.ts';
import { medianOfNumbers } from '../stats/number-median.ts';

/** One declared comparison, with what the rule made of it. */
export interface ReadPair {
  pair: AbPair;
  followed: FollowedComparison;
}

/** The rule's analysis. @throws Error for a campaign without a rule: none of these commands makes one */
export function sequentialOf({ name, sequential }: Analysis): SequentialAnalysis {
  if (sequential === null) throw new Error(`the campaign ${name} has no stopping rule`);
  return sequential;
}

/**
 * The comparisons of a campaign of sides, pair by pair as its plan declares them.
 * @returns [pair][test]
 */
export function readPairs(analysis: Analysis, tests: readonly BenchTest[]): ReadPair[][] {
  const { comparisons } = sequentialOf(analysis);
  return Array.from({ length: comparisons.length / tests.length }, (_, pair) =>
    tests.map(({ tokens }, test) => {
      const followed = comparisons[pair * tests.length + test]!;
      const { aNs, bNs, running, pairs, reason } = followed;
      const rateOf = (ns: number | null) => (ns === null || ns === 0 ? null : (tokens * 1e9) / ns);
      return {
        followed,
        pair: {
          aNs,
          bNs,
          aTokensPerSecond: rateOf(aNs),
          bTokensPerSecond: rateOf(bNs),
          ratio: medianRatio(analysis, followed),
          interval: running,
          pairs,
          reason,
        },
      };
    }),
  );
}

/** Median of b / a over the rounds that the rule has followed. */
function medianRatio(analysis: Analysis, { a, b }: FollowedComparison): number | null {
  const { rounds } = sequentialOf(analysis);
  const timesOf = (item: number) =>
    new Map(
      analysis.trials.flatMap((trial) =>
        trial.item === item && trial.trialMeanNs !== null && trial.round < rounds
          ? [[trial.round, trial.trialMeanNs] as const]
          : [],
      ),
    );
  const timesOfB = timesOf(b);
  const ratios = [...timesOf(a)].flatMap(([round, ns]) => {
    const other = timesOfB.get(round);
    return other === undefined ? [] : [other / ns];
  });
  return medianOfNumbers(ratios);
}

/** What the campaign saw while it measured. */
export function disturbanceOf(analysis: Analysis): Disturbance {
  return describeDisturbance(
    analysis,
    analysis.items.map((_, index) => index),
  );
}
