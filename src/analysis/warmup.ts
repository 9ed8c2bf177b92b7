import type { Warmup } from '../formats/analysis.ts';
import { fewestSteady, findSteadyStart } from '../stats/change-points.ts';
import { medianOfSorted } from '../stats/number-median.ts';
import { formatCount } from '../units.ts';

/**
 * The way into the steady state: each repetition over the median of its own trial's kept ones,
 * and of these ratios the median, least and greatest over the trials. For looking at, so in
 * floating point. `steadyFrom` is advice for a next protocol and leaves out nothing here.
 * @param trials all repetitions of each valid trial in ns, the same number in each
 */
export function describeWarmup(
  item: number,
  trials: readonly (readonly number[])[],
  warmup: number,
): Warmup {
  const columns = gatherRatios(trials, warmup);
  const median = columns.map((column) => medianOfSorted(column)!);
  // The medians are the series to be cut: no single slow trial makes a level.
  const steadyFrom = findSteadyStart([median]);
  return {
    item,
    n: trials.length,
    median,
    minimum: columns.map((column) => column[0]!),
    maximum: columns.map((column) => column.at(-1)!),
    steadyFrom,
    steadyReason: steadyFrom === null ? explainUnsettled(trials.length, median.length) : null,
  };
}

/** A short last level may be steady or not: it is not evaluable. */
function explainUnsettled(trials: number, repetitions: number): string {
  if (trials === 0) return 'no valid trial has its repetitions';
  if (repetitions < fewestSteady) {
    return `a process has ${formatCount(repetitions, 'repetition')}; ${fewestSteady} are needed`;
  }
  return `fewer than ${fewestSteady} repetitions come after the last change of level`;
}

/** The ratios of each repetition over all trials, ascending. */
function gatherRatios(trials: readonly (readonly number[])[], warmup: number): Float64Array[] {
  const repetitions = trials[0]?.length ?? 0;
  const columns = Array.from({ length: repetitions }, () => new Float64Array(trials.length));
  trials.forEach((wallNs, trial) => {
    const keptMedian = medianOfSorted(Float64Array.from(wallNs.slice(warmup)).sort())!;
    columns.forEach((column, at) => {
      column[trial] = wallNs[at]! / keptMedian;
    });
  });
  return columns.map((column) => column.sort());
}
