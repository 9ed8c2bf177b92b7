import type { ComparisonEvidence, DecisionEntry } from '../formats/ledger.ts';
import type { PlannedComparison } from '../formats/plan.ts';
import type { Stopping } from '../formats/protocol.ts';
import { toNumber } from '../stats/fraction.ts';
import {
  eValue,
  followSequence,
  type SequentialEvidence,
  sequentialRanks,
} from '../stats/sequential.ts';
import { judgeRatio } from '../stats/verdict.ts';
import { type ComparedPlan, keyOfItem, listComparisons } from './comparisons.ts';

/** What a decision says, wherever it is written. */
export type Decision = Pick<DecisionEntry, 'comparisons' | 'stop'>;

/** The stopping rule at work: what is known after each round follows from the trials so far alone. */
export interface SequentialTest {
  /**
   * Takes one more round, in their order.
   * @param sums kept repetitions of the round's valid trials in ns, by `keyOfItem`; an item without
   *   a valid trial is not there, and its comparisons get no pair from this round
   */
  next(sums: ReadonlyMap<string, bigint>): Decision;
  /**
   * Whether the next round does without this item (a `keyOfItem`): under `measured: 'open'` once
   * every comparison that names it is decided.
   */
  leavesOut(key: string): boolean;
}

/** A plan as far as the rule depends on it. */
export interface SequentialPlan extends ComparedPlan {
  protocol: ComparedPlan['protocol'] & { processesPerItem: number };
}

/** How probable a wrong decision of one comparison may be, so that alpha holds as declared. */
export function alphaOfEach(
  { alpha, correction }: Pick<Stopping, 'alpha' | 'correction'>,
  family: number,
): number {
  return correction === 'bonferroni' ? alpha / Math.max(1, family) : alpha;
}

/** Rounds before which nothing can be decided, whatever is measured; null: not even at the maximum. */
export function roundsToDecide(
  stopping: Pick<Stopping, 'method' | 'alpha' | 'correction'>,
  family: number,
  maximum: number,
): number | null {
  const ranks = sequentialRanks(stopping.method, alphaOfEach(stopping, family), maximum);
  const first = ranks.findIndex((rank) => rank > 0);
  return first === -1 ? null : first + 1;
}

/**
 * The stopping rule of a plan, or null when its rounds are fixed. After each round, for each
 * comparison, the confidence sequence of the median of b / a over the pairs so far (rounds in which
 * both have a valid trial). It is decided when what its intervals have in common lies above
 * 1 + margin (slower), below 1 - margin (faster) or within 1 -+ equivalence; the decision is kept.
 * The campaign stops when all are decided.
 *
 * All intervals of a sequence cover the median at once with probability 1 - alpha of each, so a
 * wrong decision at any round is no more probable than that; with `bonferroni` the same holds of
 * any wrong decision in the whole family. Assumes that the pairs of different rounds are independent
 * with one median. When the intervals have nothing in common, they did not all cover one median:
 * such a comparison stays open.
 */
export function createSequentialTest(plan: SequentialPlan): SequentialTest | null {
  const { stopping, processesPerItem } = plan.protocol;
  if (stopping === undefined) return null;
  const comparisons = listComparisons(plan);
  const alpha = alphaOfEach(stopping, comparisons.length);
  const ranks = sequentialRanks(stopping.method, alpha, processesPerItem);
  const courses = comparisons.map((comparison) => startCourse(comparison, ranks));
  let leftOut: ReadonlySet<string> = new Set();
  return {
    next(sums) {
      const evidence = courses.map((course) => advance(course, sums, stopping));
      if (stopping.measured === 'open') leftOut = findDecidedItems(courses);
      return { comparisons: evidence, stop: evidence.every(({ state }) => state !== 'open') };
    },
    leavesOut: (key) => leftOut.has(key),
  };
}

/** Items that a comparison names, and none that is still open. */
function findDecidedItems(courses: readonly Course[]): Set<string> {
  const keysOf = (some: readonly Course[]) => some.flatMap(({ keys }) => [keys.a, keys.b]);
  const open = new Set(keysOf(courses.filter(({ state }) => state === 'open')));
  return new Set(keysOf(courses).filter((key) => !open.has(key)));
}

interface Course {
  comparison: PlannedComparison;
  keys: { a: string; b: string };
  ranks: readonly number[];
  /** b / a of the pairs so far, in the order of the rounds. */
  ratios: number[];
  state: ComparisonEvidence['state'];
}

function startCourse(comparison: PlannedComparison, ranks: readonly number[]): Course {
  const { a, b } = comparison;
  const keys = { a: keyOfItem(a), b: keyOfItem(b) };
  return { comparison, keys, ranks, ratios: [], state: 'open' };
}

const noPairs: SequentialEvidence = { pairs: 0, ranks: null, current: null, running: null };

/**
 * The order statistics of log ratios are the logs of those of the ratios, so no logarithm is needed.
 * The nearest double to a quotient of two integers is the same everywhere: whoever checks a ledger
 * gets the same ends to the last bit.
 */
function advance(
  course: Course,
  sums: ReadonlyMap<string, bigint>,
  { method, margin, equivalence }: Stopping,
): ComparisonEvidence {
  const { comparison, keys, ranks, ratios } = course;
  const a = sums.get(keys.a);
  const b = sums.get(keys.b);
  if (a !== undefined && b !== undefined) {
    ratios.push(toNumber({ numerator: b, denominator: a }));
  }
  const evidence = followSequence(ratios, ranks).at(-1) ?? noPairs;
  if (course.state === 'open') {
    const verdict = judgeRatio(evidence.running, { margin, equivalence });
    if (verdict !== 'inconclusive') course.state = verdict;
  }
  return {
    ...comparison,
    ...evidence,
    eValue: method === 'S1' ? eValueBeyond(ratios, margin) : null,
    state: course.state,
  };
}

/**
 * Evidence against "the median ratio is within 1 -+ margin": the least e-value of all its values,
 * so it is at least 1 / alpha just when the current interval is clear of them. A value's e-value is
 * least when half of the ratios lie above it; ratios equal to an end count as within.
 */
function eValueBeyond(ratios: readonly number[], margin: number): number {
  const rounds = ratios.length;
  const above = ratios.filter((ratio) => ratio > 1 + margin).length;
  const notBelow = ratios.filter((ratio) => ratio >= 1 - margin).length;
  if (2 * above > rounds) return eValue(above, rounds);
  return eValue(Math.min(Math.floor(rounds / 2), notBelow), rounds);
}
