import { medianOfNumbers } from './number-median.ts';

/** Fewest arms in a campaign for which round effects are removed. */
export const fewestArmsForRoundEffects = 6;

/** What is left of them when the two that are compared are set aside. */
const fewestOthers = fewestArmsForRoundEffects - 2;

/**
 * Effect of each round, for a comparison of two arms: the median over the other arms of (log time -
 * that arm's median). To be subtracted from the log times of both. The two compared arms are not in
 * it, so that the estimate is the same whichever of them came first, and the randomisation test stays
 * exact.
 * @param others [arm][round] log times; null where an arm has no valid trial in that round
 * @returns null when any round has fewer than `fewestArmsForRoundEffects` - 2 others: then the raw
 * log times are compared
 */
export function estimateRoundEffects(
  others: readonly (readonly (number | null)[])[],
): number[] | null {
  const residuals = others.map(subtractMedian);
  const rounds = Math.max(0, ...others.map((arm) => arm.length));
  const byRound = Array.from({ length: rounds }, (_, round) =>
    residuals.map((arm) => arm[round] ?? null).filter((residual) => residual !== null),
  );
  if (others.length < fewestOthers) return null;
  if (byRound.some((present) => present.length < fewestOthers)) return null;
  return byRound.map((present) => medianOfNumbers(present)!);
}

function subtractMedian(arm: readonly (number | null)[]): (number | null)[] {
  const centre = medianOfNumbers(arm.filter((value) => value !== null));
  return arm.map((value) => (value === null || centre === null ? null : value - centre));
}
