import { toNumber } from '../stats/fraction.ts';
import { fewestForInterval } from '../stats/median-interval.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import { pairedInterval } from '../stats/paired-interval.ts';
import { signTest } from '../stats/sign-test.ts';

/** Two numbers of one block. */
export interface Pair {
  a: number;
  b: number;
}

interface Ends {
  lower: number;
  upper: number;
  coverage: number;
}

/** What a declared comparison comes to, before its family is looked at. */
export interface PairedResult {
  scale: 'ratio' | 'difference';
  larger: number;
  smaller: number;
  equal: number;
  effect: number | null;
  interval: Ends | null;
  /** So wide that those of all of the family hold at once at the same level; null: too few pairs. */
  familyInterval: Ends | null;
  /** null with fewer pairs than an interval needs. */
  pValue: number | null;
}

const level = 0.95;
export const fewestPairs = fewestForInterval(level);

/**
 * Blocks as pairs: sign test of b > a, median effect and its order-statistic interval. As ratios
 * b / a by their logarithms; where a value is 0 or less, as differences b - a.
 * @param family comparisons that are looked at together, this one included; each gets its share of what
 *   an interval may miss (Bonferroni; Dunn 1961, doi:10.1080/01621459.1961.10482090)
 */
export function comparePairs(pairs: readonly Pair[], family = 1): PairedResult {
  const scale = pairs.every(({ a, b }) => a > 0 && b > 0) ? 'ratio' : 'difference';
  const changes = pairs.map(({ a, b }) => (scale === 'ratio' ? Math.log(b / a) : b - a));
  const back = (value: number) => (scale === 'ratio' ? Math.exp(value) : value);
  const middle = medianOfNumbers(changes);
  const intervalAt = (coverage: number): Ends | null => {
    const ends = pairedInterval(changes, coverage);
    return (
      ends && {
        lower: back(ends.lower),
        upper: back(ends.upper),
        coverage: toNumber(ends.coverage),
      }
    );
  };
  const { positive, negative, zeros, pValue } = signTest(changes);
  return {
    scale,
    larger: positive,
    smaller: negative,
    equal: zeros,
    effect: middle === null ? null : back(middle),
    interval: intervalAt(level),
    familyInterval: intervalAt(1 - (1 - level) / family),
    pValue: pairs.length < fewestPairs ? null : pValue,
  };
}

/** Whether the interval is clear of no change. */
export function isClear({ scale, interval }: Pick<PairedResult, 'scale' | 'interval'>): boolean {
  const none = scale === 'ratio' ? 1 : 0;
  return interval !== null && (interval.lower > none || interval.upper < none);
}

/** Whether all of the interval of a ratio is beyond 1 -+ `matters`, or within. */
export function judgeSize(
  { scale, interval }: Pick<PairedResult, 'scale' | 'interval'>,
  matters: number,
): 'yes' | 'no' | 'undecided' | null {
  if (scale !== 'ratio') return null;
  if (interval === null) return 'undecided';
  const { lower, upper } = interval;
  if (lower > 1 + matters || upper < 1 - matters) return 'yes';
  return lower >= 1 - matters && upper <= 1 + matters ? 'no' : 'undecided';
}
