import { compareFractions, type Fraction, formatFraction, toNumber } from '../stats/fraction.ts';
import { type MedianInterval, medianInterval } from '../stats/median-interval.ts';
import { jointCoverage, simultaneousInterval } from '../stats/simultaneous-interval.ts';
import { wantedCoverage } from './item.ts';
import type { ItemSample } from './item-sample.ts';

/** An interval of an item's median, exactly; what it covers also as it is printed. */
export interface ItemInterval extends MedianInterval {
  coverageNumber: number;
  coverageFraction: string;
}

export interface ItemIntervals {
  interval: ItemInterval | null;
  /** Largest distance of its ends from the median, relative to the median. */
  endpointDistance: Fraction | null;
  simultaneous: ItemInterval | null;
  /** upper / lower of the simultaneous interval. */
  upperOverLower: Fraction | null;
}

export interface IntervalFamily {
  /** One for each item. */
  intervals: ItemIntervals[];
  /** Items with a valid trial: over these the simultaneous intervals share the error. */
  familySize: number;
  /** Of the simultaneous intervals that exist, under any dependence; null when none does. */
  joint: { coverage: number; coverageFraction: string } | null;
}

/** The interval of each item's median by itself, and as one of the family of all items. */
export function findIntervals(samples: readonly ItemSample[]): IntervalFamily {
  const familySize = samples.filter(({ sorted }) => sorted.length > 0).length;
  const findOne = rememberRanks((sorted) => medianInterval(sorted, wantedCoverage));
  const findOfFamily = rememberRanks((sorted) =>
    simultaneousInterval(sorted, familySize, wantedCoverage),
  );
  const intervals = samples.map(({ sorted, median }) => {
    if (median === null) {
      return { interval: null, endpointDistance: null, simultaneous: null, upperOverLower: null };
    }
    const interval = findOne(sorted);
    const simultaneous = findOfFamily(sorted);
    return {
      interval,
      endpointDistance: interval && farthestEnd(interval, median),
      simultaneous,
      upperOverLower: simultaneous && {
        numerator: simultaneous.upper,
        denominator: simultaneous.lower,
      },
    };
  });
  const coverages = intervals.flatMap(({ simultaneous }) => simultaneous?.coverage ?? []);
  const joint = coverages.length === 0 ? null : jointCoverage(coverages);
  return {
    intervals,
    familySize,
    joint: joint && { coverage: toNumber(joint), coverageFraction: formatFraction(joint) },
  };
}

/**
 * Ranks and coverage depend on n alone and are integers of n bits, so each n is worked out once for
 * all items.
 */
function rememberRanks(
  find: (sorted: readonly bigint[]) => MedianInterval | null,
): (sorted: readonly bigint[]) => ItemInterval | null {
  const known = new Map<number, ItemInterval | null>();
  return (sorted) => {
    const n = sorted.length;
    if (!known.has(n)) known.set(n, describeCoverage(find(sorted)));
    const found = known.get(n)!;
    if (found === null) return null;
    const [lower, upper] = found.ranks;
    return { ...found, lower: sorted[lower - 1]!, upper: sorted[upper - 1]! };
  };
}

function describeCoverage(interval: MedianInterval | null): ItemInterval | null {
  return (
    interval && {
      ...interval,
      coverageNumber: toNumber(interval.coverage),
      coverageFraction: formatFraction(interval.coverage),
    }
  );
}

function farthestEnd({ lower, upper }: MedianInterval, median: Fraction): Fraction {
  const { numerator: middle, denominator } = median;
  const below = { numerator: middle - lower * denominator, denominator: middle };
  const above = { numerator: upper * denominator - middle, denominator: middle };
  return compareFractions(below, above) > 0 ? below : above;
}
