import { type EndedInterval, liesAbove, liesBelow } from './beside-limit.ts';

export type Verdict = 'slower' | 'faster' | 'equivalent' | 'inconclusive';

/**
 * What an interval of the ratio b/a says: `slower` when all of it is above 1 + margin, `faster` when
 * below 1 - margin, `equivalent` when inside [1 - equivalence, 1 + equivalence], else `inconclusive`,
 * as when there is no interval. A small but clear difference inside the equivalence limits is called
 * by its direction.
 * @param limits fractions of 1; equivalence null: never called equivalent
 */
export function judgeRatio(
  interval: EndedInterval | null,
  limits: { margin: number; equivalence: number | null },
): Verdict {
  if (interval === null) return 'inconclusive';
  const { margin, equivalence } = limits;
  if (liesAbove(interval, 1 + margin)) return 'slower';
  if (liesBelow(interval, 1 - margin)) return 'faster';
  if (equivalence === null) return 'inconclusive';
  const isInside = interval.lower >= 1 - equivalence && interval.upper <= 1 + equivalence;
  return isInside ? 'equivalent' : 'inconclusive';
}
