import { fractionOfDecimal } from './fraction.ts';
import { sortAscending } from './median.ts';
import { lowerRankFor } from './median-interval.ts';

/**
 * Probability that two groups of n drawn with replacement from the n values, one multiplied by
 * 1 + change, have order-statistic intervals that are disjoint in the direction of the change; for
 * change = 0, disjoint in either direction. Exact, without drawing: the k-th smallest of a group is
 * at most the j-th smallest value with probability P(Bin(n, j/n) >= k) (Efron 1979,
 * doi:10.1214/aos/1176344552, section 3), and the two groups are independent. Which values exceed
 * which, once multiplied, is compared exactly.
 * It says what these samples, taken as all there is, would show. It is not future power: unseen
 * tails and day-to-day drift are not in it.
 * @param values positive; ties are welcome
 * @param change a decimal fraction, above -1 @param level of each interval
 * @returns null when n is too small for an interval
 */
export function detectionRate(
  values: readonly bigint[],
  change: number,
  level: number,
): number | null {
  const n = values.length;
  const lowerRank = lowerRankFor(n, level);
  if (lowerRank === 0) return null;
  const { numerator, denominator } = fractionOfDecimal(change);
  const original = sortAscending(values).map((value) => value * denominator);
  const changed = sortAscending(values).map((value) => value * (denominator + numerator));
  const aboveRank = lowerEndAbove(n, lowerRank);
  if (change > 0) return probabilityBelow(original, changed, aboveRank);
  if (change < 0) return probabilityBelow(changed, original, aboveRank);
  return 2 * probabilityBelow(original, changed, aboveRank);
}

/**
 * Probability that the upper end of a group drawn from `lower` is below the lower end of one drawn
 * from `higher`, both ascending.
 */
function probabilityBelow(
  lower: readonly bigint[],
  higher: readonly bigint[],
  aboveRank: Float64Array,
): number {
  const n = lower.length;
  let probability = 0;
  let notAbove = 0; // values of `higher` that are not above the present one of `lower`
  for (let rank = 1; rank <= n; rank++) {
    while (notAbove < n && higher[notAbove]! <= lower[rank - 1]!) notAbove++;
    // By symmetry the upper end is at most the rank-th value when n ranks from above exceed it.
    const isUpperEnd = aboveRank[n - rank]! - aboveRank[n - rank + 1]!;
    probability += isUpperEnd * aboveRank[notAbove]!;
  }
  return Math.min(1, probability);
}

/**
 * At index j: the probability that the `lowerRank`-th smallest of n draws is above the j-th smallest
 * value, P(Bin(n, j/n) < lowerRank), for j = 0 to n.
 */
function lowerEndAbove(n: number, lowerRank: number): Float64Array {
  const logFactorials = sumLogs(n);
  return Float64Array.from({ length: n + 1 }, (_, j) => {
    if (j === 0) return 1;
    if (j === n) return 0;
    return binomialBelow(n, j, lowerRank, logFactorials);
  });
}

/** Terms this much smaller than the sum no longer change it. */
const negligible = 2 ** -60;

/**
 * P(Bin(n, j/n) < k): the terms from k - 1 downwards, or from k upwards when that side is the
 * smaller one, until they no longer matter; about sqrt(n) of them.
 */
function binomialBelow(n: number, j: number, k: number, logFactorials: Float64Array): number {
  const odds = j / (n - j);
  const isLowerTail = k - 1 < j; // the mean is j
  const start = isLowerTail ? k - 1 : k;
  const logTerm =
    logFactorials[n]! -
    logFactorials[start]! -
    logFactorials[n - start]! +
    start * Math.log(j / n) +
    (n - start) * Math.log1p(-j / n);
  let term = Math.exp(logTerm);
  let sum = 0;
  for (let at = start; term > sum * negligible; ) {
    sum += term;
    term *= isLowerTail ? at / ((n - at + 1) * odds) : ((n - at) / (at + 1)) * odds;
    at += isLowerTail ? -1 : 1;
  }
  return isLowerTail ? sum : 1 - sum;
}

/** ln k! for k = 0 to n, by compensated summation (Neumaier 1974). */
function sumLogs(n: number): Float64Array {
  const sums = new Float64Array(n + 1);
  let sum = 0;
  let lost = 0;
  for (let k = 1; k <= n; k++) {
    const log = Math.log(k);
    const next = sum + log;
    lost += sum >= log ? sum - next + log : log - next + sum;
    sum = next;
    sums[k] = sum + lost;
  }
  return sums;
}
