import { wantedCoverage } from './item.ts';

/** Projections end here: a day of trials that take 9 s each. */
export const mostTrials = 10_000;

/**
 * How many trials it would take until both ends of the interval of an item's median lie within the
 * limit of the present median, if further trials are spread like these: the smallest n' from which on
 * the ends of all do up to `mostTrials`, each taken as the quantile l' / (n' + 1) or 1 - l' / (n' + 1) of the present trials, with l'
 * the rank for n' and linear between order statistics, never beyond the extremes (type 6 of Hyndman
 * & Fan 1996, doi:10.1080/00031305.1996.10473566, so that n' = n gives the present interval).
 * A projection from what was seen, of the typical case: where n' trials are drawn from the present ones,
 * about half to nine tenths of the draws are within the limit, far fewer where they fall into groups
 * with the median near a gap, because the drawn median moves, too. A tail that has not shown itself breaks it.
 * @param sorted trial means in any unit, ascending, at least one
 * @param limit relative to the median
 * @param after only counts above this one are looked at
 * @returns null beyond `mostTrials`
 */
export function projectTrialsNeeded(
  sorted: readonly number[],
  median: number,
  limit: number,
  after: number,
): number | null {
  const reached = findQuantile(sorted, median * (1 - limit), median * (1 + limit));
  const needed = reached * (1 - roundingOfDoubles); // 2/12 is not less than a sixth
  const quantiles = lowestQuantiles();
  if (quantiles[mostTrials]! < needed) return null;
  let n = mostTrials;
  while (n > after + 1 && quantiles[n - 1]! >= needed) n--;
  return n > after ? n : null;
}

/** The smallest p up to 1/2 whose quantile and that of 1 - p both lie within the limits. */
function findQuantile(sorted: readonly number[], lower: number, upper: number): number {
  const fromBelow = findRank(sorted, lower);
  const fromAbove = findRank(sorted.map((value) => -value).reverse(), -upper);
  return Math.max(fromBelow, fromAbove) / (sorted.length + 1);
}

/** Place, from 1 and between two values in proportion, at which the values reach the limit. */
function findRank(ascending: readonly number[], limit: number): number {
  const at = ascending.findIndex((value) => value >= limit);
  if (at === 0) return 0; // not even the extreme is beyond it
  const [before, reached] = [ascending[at - 1]!, ascending[at]!];
  return at + (limit - before) / (reached - before);
}

/** More than a few units in the last place, far less than quantiles differ by. */
const roundingOfDoubles = 1e-12;

let known: Float64Array | null = null;

/**
 * At index n: the least l / (n' + 1) of all n' from n to `mostTrials`, where l is the rank of the
 * interval's lower end; -1 without interval.
 */
function lowestQuantiles(): Float64Array {
  if (known !== null) return known;
  const lowest = Float64Array.from(listLowerRanks(mostTrials), (rank, n) =>
    rank === 0 ? -1 : rank / (n + 1),
  );
  for (let n = mostTrials - 1; n >= 0; n--) lowest[n] = Math.min(lowest[n]!, lowest[n + 1]!);
  known = lowest;
  return known;
}

/**
 * `lowerRankFor(n, wantedCoverage)` for every n up to `most`, one from the other: with
 * F(n, l) = sum_{k<l} C(n,k) / 2^n, Pascal's rule gives F(n+1, l) = F(n, l) - C(n, l-1) / 2^(n+1),
 * and l grows by 1 when F(n+1, l+1) <= (1 - coverage) / 2. In floating point: to n = 10,000 no F comes
 * closer to that limit than a relative 8e-6.
 */
export function listLowerRanks(most: number): Uint16Array {
  const ranks = new Uint16Array(most + 1);
  const outside = (1 - wantedCoverage) / 2;
  let rank = 0;
  let below = 0; // F(n, rank)
  let atRank = 1; // C(n, rank) / 2^n
  for (let n = 1; n <= most; n++) {
    const beforeRank = rank === 0 ? 0 : (atRank * rank) / (n - rank); // C(n-1, rank-1) / 2^(n-1)
    below -= beforeRank / 2;
    atRank = (atRank + beforeRank) / 2;
    if (below + atRank <= outside) {
      below += atRank;
      atRank *= (n - rank) / (rank + 1);
      rank += 1;
    }
    ranks[n] = rank;
  }
  return ranks;
}
