import { type Fraction, toNumber } from '../stats/fraction.ts';
import { median, sortAscending } from '../stats/median.ts';
import type { MeasuredItem, MeasuredTrial, Measurements } from './measurements.ts';

/** A valid trial. */
export type ObservedTrial = MeasuredTrial & { sum: bigint };

/** One item's valid trials, exactly and sorted once. */
export interface ItemSample extends MeasuredItem {
  /** Index into the items of the analysis. */
  index: number;
  /** In the order of measuring. */
  observed: ObservedTrial[];
  /** Their means, each rounded once. */
  meansNs: number[];
  failed: number;
  /** Sums of the observed, ascending: to sort them again costs next to nothing. */
  sorted: bigint[];
  /** Of the sums; null without a valid trial. */
  median: Fraction | null;
}

export function sampleItems({ items, trials, unitsPerNs }: Measurements): ItemSample[] {
  const observedOf = items.map((): ObservedTrial[] => []);
  const failedOf = items.map(() => 0);
  for (const trial of trials) {
    if (isObserved(trial)) observedOf[trial.item]!.push(trial);
    else if (trial.state === 'failed') failedOf[trial.item]! += 1;
  }
  return items.map((measured, index) => {
    const observed = observedOf[index]!;
    const sorted = sortAscending(observed.map(({ sum }) => sum));
    return {
      ...measured,
      index,
      observed,
      meansNs: observed.map(({ sum }) =>
        toNanoseconds({ numerator: sum, denominator: 1n }, unitsPerNs),
      ),
      failed: failedOf[index]!,
      sorted,
      median: median(sorted),
    };
  });
}

function isObserved(trial: MeasuredTrial): trial is ObservedTrial {
  return trial.sum !== null;
}

/** A time in 1/unitsPerNs ns, in ns and rounded once. */
export function toNanoseconds(time: Fraction, unitsPerNs: bigint): number {
  const { numerator } = time;
  const denominator = time.denominator * unitsPerNs;
  const areExact = numerator <= Number.MAX_SAFE_INTEGER && denominator <= Number.MAX_SAFE_INTEGER;
  // The quotient of two exact doubles is rounded once, too, and much faster to have.
  return areExact ? Number(numerator) / Number(denominator) : toNumber({ numerator, denominator });
}
