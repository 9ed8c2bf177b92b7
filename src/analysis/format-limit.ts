/**
 * A limit as somebody wrote it: 0.05 -> `5 %`, 0.125 -> `12.5 %`. Six digits, so that the last bit
 * of the product does not show.
 */
export function formatLimit(fraction: number): string {
  return `${Number((fraction * 100).toPrecision(6))} %`;
}
