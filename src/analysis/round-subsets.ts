import type { RoundSubsetsAnalysis } from '../formats/analysis.ts';
import { createRandom } from '../random.ts';
import { countPassingSubsets, type RoundValue } from '../stats/round-subsets.ts';
import { formatCount } from '../units.ts';
import type { ItemSample, ObservedTrial } from './item-sample.ts';

/** Rounds of a subset: as few as the first campaigns had. */
const subsetSize = 3;

/** With as many rounds as a subset there is one subset, which is the campaign itself. */
const fewestRounds = subsetSize + 1;

/**
 * How many items would carry the stable flag if only three of the rounds had been measured, over all
 * threes of those rounds in which every item has a valid trial.
 */
export function analyzeRoundSubsets(
  samples: readonly ItemSample[],
  maxRelativeRange: number,
): RoundSubsetsAnalysis {
  const refuse = (reason: string) => ({ state: 'not-evaluable', reason }) as const;
  const byRound = samples.map(
    ({ observed }) => new Map(observed.map((trial) => [trial.round, trial])),
  );
  const rounds = [...(byRound[0]?.keys() ?? [])]
    .filter((round) => byRound.every((trials) => trials.has(round)))
    .sort((a, b) => a - b);
  if (rounds.length < fewestRounds) {
    return refuse(
      `${formatCount(rounds.length, 'round')} in which every item has a valid trial; ${fewestRounds} are needed`,
    );
  }
  const values = byRound.map((trials) => rounds.map((round) => takeValue(trials.get(round)!)));
  const isUnknown = values.some((item) => item.some(({ inTrialPasses }) => inTrialPasses === null));
  if (isUnknown) return refuse('the spread inside some trials is not known');
  const counted = countPassingSubsets(
    values as RoundValue[][],
    subsetSize,
    maxRelativeRange,
    createRandom('round-subsets'),
  );
  return { state: 'evaluated', ...counted! };
}

function takeValue({ sum, inTrialPasses }: ObservedTrial) {
  return { sum, inTrialPasses };
}
