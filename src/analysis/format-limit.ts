/**
 * A limit as somebody wrote it: 0.05 -> `5 %`, 0.125 -> `12.5 %`. Three digits, so that neither the
 * last bit of a product nor a third shows.
 */
export function formatLimit(fraction: number): string {
  return `${Number((fraction * 100).toPrecision(3))} %`;
}
