/** Two values are tied when they differ by less than this share of the larger: rounding, not data. */
const relativeTolerance = 1e-12;

/**
 * Twice the midranks (integers), from 2 for the smallest: values that tie share the mean of their
 * ranks. Neighbours in ascending order are tied when they differ by at most a relative 1e-12, or by
 * `tolerance`.
 * @param values finite
 * @param tolerance absolute, in the unit of the values; for values that are themselves differences
 * of larger ones, whose rounding they carry
 */
export function doubledMidranks(values: readonly number[], tolerance = 0): number[] {
  const sorted = new Float64Array(values).sort();
  const doubled = new Float64Array(values.length);
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    end = start + 1;
    while (end < sorted.length && areTied(sorted[end - 1]!, sorted[end]!, tolerance)) end++;
    doubled.fill(start + 1 + end, start, end);
  }
  return values.map((value) => doubled[findPlace(sorted, value)]!);
}

function areTied(lower: number, upper: number, tolerance: number): boolean {
  const scale = Math.max(Math.abs(lower), Math.abs(upper));
  return upper - lower <= Math.max(tolerance, relativeTolerance * scale);
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
