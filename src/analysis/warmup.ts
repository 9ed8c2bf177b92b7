import type { Warmup } from '../formats/analysis.ts';

/**
 * The way into the steady state: each repetition over the median of its own trial's kept ones,
 * and of these ratios the median, least and greatest over the trials. For looking at, so in
 * floating point.
 * @param trials all repetitions of each valid trial in ns, the same number in each
 */
export function describeWarmup(
  item: number,
  trials: readonly (readonly number[])[],
  warmup: number,
): Warmup {
  const ratios = trials.map((wallNs) => {
    const keptMedian = middleOf(wallNs.slice(warmup));
    return wallNs.map((ns) => ns / keptMedian);
  });
  const repetitions = ratios[0]?.length ?? 0;
  const columns = Array.from({ length: repetitions }, (_, at) => ratios.map((row) => row[at]!));
  return {
    item,
    n: trials.length,
    median: columns.map(middleOf),
    minimum: columns.map((column) => Math.min(...column)),
    maximum: columns.map((column) => Math.max(...column)),
  };
}

function middleOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)]!;
  return sorted.length % 2 === 1 ? upper : (sorted[sorted.length / 2 - 1]! + upper) / 2;
}
