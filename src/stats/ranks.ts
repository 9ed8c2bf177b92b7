/** Two values are tied when they differ by less than this share of the larger: rounding, not data. */
const relativeTolerance = 1e-12;

/** Some 50 units in the last place: what a few sums and differences can lose. */
const lostByRounding = 1e-14;

/**
 * How far values that should be equal may lie apart after a few sums and differences of values of this
 * size. For log times of seconds in ns it is 2e-13: times that differ by 2e-12 of themselves stay apart.
 */
export function roundingOf(values: readonly number[]): number {
  return lostByRounding * values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/**
 * Twice the midranks (integers), from 2 for the smallest: values that tie share the mean of their
 * ranks. In ascending order a value ties with the first of the group before it when the two differ by at
 * most `tolerance`, so that neighbours do not chain.
 * @param values finite
 * @param tolerance absolute, in the unit of the values; a relative 1e-12 when it is left out
 */
export function doubledMidranks(values: readonly number[], tolerance?: number): number[] {
  const sorted = new Float64Array(values).sort();
  const doubled = new Float64Array(values.length);
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    end = start + 1;
    while (end < sorted.length && areTied(sorted[start]!, sorted[end]!, tolerance)) end++;
    doubled.fill(start + 1 + end, start, end);
  }
  return values.map((value) => doubled[findPlace(sorted, value)]!);
}

function areTied(lower: number, upper: number, tolerance: number | undefined): boolean {
  const scale = Math.max(Math.abs(lower), Math.abs(upper));
  return upper - lower <= (tolerance ?? relativeTolerance * scale);
}

/** Index of the first value that is not below the one looked for. */
function findPlace(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
