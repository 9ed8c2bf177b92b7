import type { DriftAnalysis, SampleAnalysis } from '../formats/analysis.ts';
import type { Phase } from '../formats/architecture.ts';
import type { SequentialAnalysis } from '../formats/sequential.ts';

type Followed = Pick<SequentialAnalysis, 'rule' | 'rounds' | 'comparisons'>;

/**
 * In how many of the rounds that were followed an item was due: under `measured: 'open'` until the
 * last of the comparisons that name it was decided, else in all.
 * @param item index into the items of the analysis
 */
export function countDueRounds({ rule, rounds, comparisons }: Followed, item: number): number {
  if (rule.measured !== 'open') return rounds;
  const ends = comparisons
    .filter(({ a, b }) => a === item || b === item)
    .map(({ decidedAfter }) => decidedAfter ?? rounds);
  return ends.length === 0 ? rounds : Math.max(...ends);
}

/**
 * The rounds, from 0, in which the stopping rule did without an item, since what it is compared with
 * was decided; an entry for each item. Of a table without its plan nobody knows what was decided: a
 * round that has no row of the item, not even a failed one, is taken for one of them.
 * @param rounds those that were begun
 */
export function findLeftOut(
  { protocol, sequential, items, trials }: SampleAnalysis,
  rounds: readonly number[],
): ReadonlySet<number>[] {
  if (protocol?.stopping?.measured !== 'open') return items.map(() => new Set<number>());
  return items.map((_, item) => {
    const begun = new Set(trials.filter((trial) => trial.item === item).map(({ round }) => round));
    const isLeftOut = (round: number) =>
      sequential === null ? true : isDoneBefore(sequential, item, round);
    return new Set(rounds.filter((round) => !begun.has(round) && isLeftOut(round)));
  });
}

/** Says of each phase's drift where the rule did without the item that is looked at before the end. */
export function markUnwatched(
  drift: readonly DriftAnalysis[],
  items: readonly { isReference: boolean; phase: Phase }[],
  sequential: Followed | null,
): DriftAnalysis[] {
  return drift.map((one) => {
    const watched = items.findIndex(({ isReference, phase }) => isReference && phase === one.phase);
    if (sequential === null || watched === -1) return one;
    const due = countDueRounds(sequential, watched);
    return due === sequential.rounds ? one : { ...one, leftOutAfter: due };
  });
}

/** Whether all comparisons that name an item were decided before a round. */
function isDoneBefore(sequential: Followed, item: number, round: number): boolean {
  const named = sequential.comparisons.filter(({ a, b }) => a === item || b === item);
  return (
    named.length > 0 &&
    named.every(({ decidedAfter }) => decidedAfter !== null && decidedAfter <= round)
  );
}
