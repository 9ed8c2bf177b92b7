import type { SampleAnalysis, TrialAnalysis } from '../formats/analysis.ts';
import type { CampaignsComparison } from '../formats/comparison.ts';
import { createRandom } from '../random.ts';
import { fractionOfDecimal } from '../stats/fraction.ts';
import { countPassingSubsets, type RoundValue } from '../stats/round-subsets.ts';

type Subsets = NonNullable<CampaignsComparison['stable']['subsets']>;
type StableSubsets =
  | { state: 'counted'; subsets: Subsets }
  | { state: 'not-evaluable'; reason: string };

/** Rounds in which every one of these items has a valid trial, in their order. */
export function findCompleteRounds(
  { trials }: SampleAnalysis,
  indices: readonly number[],
): number[] {
  const wanted = new Set(indices);
  const counts = new Map<number, number>();
  for (const { item, round, trialMeanNs } of trials) {
    if (trialMeanNs !== null && wanted.has(item)) counts.set(round, (counts.get(round) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count === wanted.size)
    .map(([round]) => round)
    .sort((a, b) => a - b);
}

/**
 * How many items the longer of two campaigns would call stable with as few rounds as the shorter: more
 * rounds show more rare delays, so that its own count says nothing beside that of the shorter.
 */
export function countStableSubsets(
  a: SampleAnalysis,
  b: SampleAnalysis,
  pairs: readonly { a: number; b: number }[],
): StableSubsets {
  const sides = { a: pairs.map((pair) => pair.a), b: pairs.map((pair) => pair.b) };
  const rounds = { a: findCompleteRounds(a, sides.a), b: findCompleteRounds(b, sides.b) };
  if (rounds.a.length === rounds.b.length) {
    return refuse(`both have ${rounds.a.length} complete rounds`);
  }
  const of = rounds.a.length > rounds.b.length ? 'a' : 'b';
  const [longer, shorter, other] = of === 'a' ? [a, b, 'b' as const] : [b, a, 'a' as const];
  const size = rounds[other].length;
  if (size < 2) return refuse(`the shorter campaign has ${size} complete rounds; 2 are needed`);
  const values = takeValues(longer, sides[of], rounds[of]);
  if (values === null) return refuse('the spread inside some trials is not known');
  const counted = countPassingSubsets(
    values,
    size,
    longer.rules.stable.maxRelativeRange,
    createRandom('stable-subsets'),
  );
  if (counted === null) return refuse('there are no subsets of rounds');
  const ownValues = takeValues(shorter, sides[other], rounds[other]);
  if (ownValues === null) return refuse('the spread inside some trials is not known');
  // all complete rounds of the shorter one are one set: minimum and maximum are its count
  const own = countPassingSubsets(
    ownValues,
    size,
    shorter.rules.stable.maxRelativeRange,
    createRandom('stable-subsets'),
  )!;
  const holdsOther = counted.minimum <= own.minimum && own.minimum <= counted.maximum;
  return { state: 'counted', subsets: { of, ...counted, other: own.minimum, holdsOther } };
}

function refuse(reason: string): StableSubsets {
  return { state: 'not-evaluable', reason };
}

/**
 * [item][round]. Sums come back exactly from the trial means; the in-trial CV is compared as the
 * double it is given as, which can differ from the exact verdict at the limit itself.
 */
function takeValues(
  { trials, rules, ...analysis }: SampleAnalysis,
  indices: readonly number[],
  rounds: readonly number[],
): RoundValue[][] | null {
  const byItem = new Map(indices.map((index) => [index, new Map<number, TrialAnalysis>()]));
  for (const trial of trials) {
    if (trial.trialMeanNs !== null) byItem.get(trial.item)?.set(trial.round, trial);
  }
  const chosen = indices.map((index) => rounds.map((round) => byItem.get(index)!.get(round)!));
  if (chosen.flat().some(({ inTrialCv }) => inTrialCv === null)) return null;
  const sums = restoreSums(
    chosen.map((item) => item.map(({ trialMeanNs }) => trialMeanNs!)),
    analysis.evidence === 'ledger' ? analysis.protocol.repetitions.kept : null,
  );
  return chosen.map((item, row) =>
    item.map(({ inTrialCv }, column) => ({
      sum: sums[row]![column]!,
      inTrialPasses: inTrialCv! <= rules.stable.maxInTrialCv,
    })),
  );
}

/**
 * Integers in one unit: the sums of a ledger's kept repetitions, which a mean gives back as long as
 * they are below 2^52 ns (52 days); for a table the means as the decimals they are written as.
 */
function restoreSums(means: readonly (readonly number[])[], kept: number | null): bigint[][] {
  if (kept !== null) {
    return means.map((item) => item.map((mean) => BigInt(Math.round(mean * kept))));
  }
  const fractions = means.map((item) => item.map(fractionOfDecimal));
  const decimals = fractions.flat().map(({ denominator }) => denominator.toString().length - 1);
  const unit = 10n ** BigInt(Math.max(0, ...decimals));
  return fractions.map((item) =>
    item.map(({ numerator, denominator }) => numerator * (unit / denominator)),
  );
}
