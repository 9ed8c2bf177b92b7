/** Where a count lies between the ends of a range on a logarithmic scale, from 0 to 1. */
export function shareOfLogRange(
  count: number,
  { minimum, maximum }: { minimum: number; maximum: number },
): number {
  const length = approximateLog2(maximum) - approximateLog2(minimum);
  return length === 0 ? 0 : (approximateLog2(count) - approximateLog2(minimum)) / length;
}

/**
 * Binary logarithm, drawn straight between the powers of two: at most 0.09 too low, and exact in
 * IEEE arithmetic, where the last bit of `Math.log2` differs from machine to machine.
 */
function approximateLog2(count: number): number {
  let exponent = 0;
  let power = 1;
  while (power * 2 <= count) {
    power *= 2;
    exponent++;
  }
  return exponent + count / power - 1;
}
