import { compareFractions, type Fraction, fractionOfDecimal } from './fraction.ts';
import { median } from './median.ts';

/** Threshold as a decimal fraction of 1; strictly more than it is drift. */
export interface DriftRule {
  minRounds: number;
  edgeRounds: number;
  above: number;
}

export interface Drift {
  firstMedian: Fraction;
  lastMedian: Fraction;
  /** lastMedian / firstMedian - 1. */
  change: Fraction;
  /** Whether the change is strictly more than the threshold in either direction, exactly. */
  exceeded: boolean;
}

/** Rounds without which drift cannot be judged; the first and last rounds must not overlap. */
export function roundsNeeded({ minRounds, edgeRounds }: DriftRule): number {
  return Math.max(minRounds, 2 * edgeRounds);
}

/**
 * Compares the medians of the first and last `edgeRounds` values.
 * @param byRound positive integers in the order of the rounds
 * @returns null for fewer values than `roundsNeeded`: not evaluable
 */
export function measureDrift(byRound: readonly bigint[], rule: DriftRule): Drift | null {
  if (byRound.length < roundsNeeded(rule)) return null;
  const firstMedian = median(byRound.slice(0, rule.edgeRounds))!;
  const lastMedian = median(byRound.slice(-rule.edgeRounds))!;
  const first = firstMedian.numerator * lastMedian.denominator;
  const last = lastMedian.numerator * firstMedian.denominator;
  const change = { numerator: last - first, denominator: first };
  const size = { ...change, numerator: last < first ? first - last : last - first };
  const exceeded = compareFractions(size, fractionOfDecimal(rule.above)) > 0;
  return { firstMedian, lastMedian, change, exceeded };
}

/**
 * How far a linear drift must go from the first to the last of n rounds to reach the threshold:
 * the edge medians sit (n - edge) of (n - 1) steps apart, so about 9 % for 5 % with 10 rounds and 5. To the first
 * order: relative to the first round the true limits are +9.18 % and -8.82 %.
 */
export function linearDriftToReach(n: number, { edgeRounds, above }: DriftRule): Fraction {
  const { numerator, denominator } = fractionOfDecimal(above);
  return {
    numerator: numerator * BigInt(n - 1),
    denominator: denominator * BigInt(n - edgeRounds),
  };
}
