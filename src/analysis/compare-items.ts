import type { SampleAnalysis } from '../formats/analysis.ts';
import { itemOf } from '../formats/architecture.ts';
import type { ComparedPair, ItemsComparison } from '../formats/comparison.ts';
import type { FollowedComparison } from '../formats/sequential.ts';
import { adjustByHolm } from '../stats/holm.ts';
import { fewestForSimultaneousInterval } from '../stats/simultaneous-interval.ts';
import { describeDisturbance } from './compare-disturbance.ts';
import { listItemsCaveats } from './compare-items-caveats.ts';
import { type ArmRounds, comparePair } from './compare-items-pair.ts';
import { findLeftOut } from './left-out.ts';
import { selectPairs } from './select-items.ts';

/** With this probability all intervals of a family hold their ratio at once. */
const jointLevel = 0.95;

export interface ItemsQuestion {
  a: string;
  b: string;
  margin: number;
  /** null: nothing is called equivalent. */
  equivalence: number | null;
}

/**
 * Compares items that were measured in the same rounds of one campaign, pair by pair, as the ratio
 * B / A. Of several pairs the intervals are Bonferroni's and the p-values Holm's.
 * @throws RooflawError `invalid-input` when the selectors do not name pairs
 */
export function compareItems(analysis: SampleAnalysis, question: ItemsQuestion): ItemsComparison {
  const { items, trials, evidence } = analysis;
  const { a, b, margin, equivalence } = question;
  const selected = selectPairs(items, a, b);
  const familySize = selected.pairs.length;
  const intervalLevel = 1 - (1 - jointLevel) / familySize;
  const pairsNeeded = fewestForSimultaneousInterval(familySize, jointLevel);
  const rounds = [...new Set(trials.map(({ round }) => round))].sort((x, y) => x - y);
  const leftOut = findLeftOut(analysis, rounds);
  const { sequential } = analysis;
  const undeclared = explainUndeclared(analysis);
  const limits = { margin, equivalence, intervalLevel, pairsNeeded, familySize };
  const rules = { ...limits, undeclared };
  const arms = gatherRounds(analysis);
  const pairs = selected.pairs.map((pair) =>
    comparePair(
      {
        declared: findDeclared(sequential?.comparisons ?? [], pair),
        withheld: explainStop(analysis, rounds, leftOut[pair.a]!, leftOut[pair.b]!),
        a: { item: items[pair.a]!, rounds: arms[pair.a]!, leftOut: leftOut[pair.a]! },
        b: { item: items[pair.b]!, rounds: arms[pair.b]!, leftOut: leftOut[pair.b]! },
        others: arms.filter((_, index) => index !== pair.a && index !== pair.b),
        rounds,
      },
      rules,
    ),
  );
  const named = (index: number) => {
    return itemOf(items[index]!);
  };
  const compared = {
    format: 'rooflaw-comparison' as const,
    formatVersion: 1 as const,
    disturbances: [
      describeDisturbance(
        analysis,
        selected.pairs.flatMap((pair) => [pair.a, pair.b]),
      ),
    ],
    kind: 'items' as const,
    campaign: analysis.name,
    evidence,
    selectors: { a, b },
    differIn: selected.differIn,
    stopping: sequential && {
      method: sequential.rule.method,
      rounds: sequential.rounds,
      maximumRounds: sequential.maximumRounds,
      stopped: sequential.stopped,
    },
    margin,
    equivalence,
    family: {
      size: familySize,
      jointLevel,
      intervalLevel,
      correction:
        familySize === 1 ? ('none' as const) : ('bonferroni-intervals-and-holm-p' as const),
      pairsNeeded,
    },
    pairs: adjustFamily(pairs),
    unmatched: { a: selected.unmatched.a.map(named), b: selected.unmatched.b.map(named) },
    missing: undeclared === null ? [] : [{ field: 'stopping', reason: undeclared }],
  };
  return { ...compared, doesNotShow: listItemsCaveats(compared, analysis) };
}

/** What the stopping rule says of B over A, whichever way round the plan named the two. */
function findDeclared(
  comparisons: readonly FollowedComparison[],
  { a, b }: { a: number; b: number },
): ComparedPair['declared'] {
  const isOfPair = (one: FollowedComparison) =>
    (one.a === a && one.b === b) || (one.a === b && one.b === a);
  const found = comparisons.find(isOfPair);
  if (found === undefined) return null;
  const { state, decidedAfter } = found;
  const isDirected = state === 'slower' || state === 'faster';
  if (found.a === a || !isDirected) return { state, decidedAfter };
  return { state: state === 'slower' ? 'faster' : 'slower', decidedAfter };
}

/** The valid trials of each item by round. */
function gatherRounds({ items, trials }: SampleAnalysis): ArmRounds[] {
  const arms = items.map(() => new Map<number, { ns: number; position: number }>());
  for (const { item, round, position, trialMeanNs } of trials) {
    if (trialMeanNs !== null) arms[item]!.set(round, { ns: trialMeanNs, position });
  }
  return arms;
}

/** Pairs without a p-value stay in the family's size. */
function adjustFamily(pairs: readonly ComparedPair[]): ComparedPair[] {
  const pValues = pairs.flatMap(({ decision }) => (decision === null ? [] : [decision.pValue]));
  const adjusted = adjustByHolm(pValues, pairs.length);
  let next = 0;
  return pairs.map((pair) =>
    pair.decision === null
      ? pair
      : {
          ...pair,
          decision: {
            ...pair.decision,
            adjustedPValue: adjusted[next++]!,
            bonferroniPValue: Math.min(1, pairs.length * pair.decision.pValue),
          },
        },
  );
}

/** A table holds trials, not what a rule decided of them; null: the decisions are known, or none was due. */
function explainUndeclared(analysis: SampleAnalysis): string | null {
  if (analysis.evidence === 'ledger') return null;
  const reason = analysis.absent.find(({ field }) => field === 'sequential')?.reason;
  if (reason === undefined) return null;
  return `${reason}; the ledger holds it, and so does analysis.json of a published folder`;
}

/**
 * A test for a fixed number of rounds errs too often where the data says when to stop (13 % in place
 * of 5 % for ten looks), so that it decides nothing there.
 */
function explainStop(
  { protocol }: SampleAnalysis,
  rounds: readonly number[],
  leftOutA: ReadonlySet<number>,
  leftOutB: ReadonlySet<number>,
): string | null {
  if (protocol?.stopping === undefined) return null;
  const { stopping, processesPerItem } = protocol;
  const fixed = 'this test is for a number of rounds that is fixed before';
  if (rounds.length < processesPerItem) {
    return `the campaign may stop by its own data (${stopping.method}) and has ${rounds.length} of at most ${processesPerItem} rounds; ${fixed}`;
  }
  const due = rounds.filter((round) => !leftOutA.has(round) && !leftOutB.has(round)).length;
  if (due === rounds.length) return null;
  return `the campaign leaves out what its own data have decided (${stopping.method}), and measured these two together in ${due} of at most ${processesPerItem} rounds; ${fixed}`;
}
