import { formatPercent } from './format-percent.ts';

/**
 * A limit as somebody wrote it: 0.05 -> `5 %`, 0.125 -> `12.5 %`. Three digits, so that neither the
 * last bit of a product nor a third shows.
 */
export function formatLimit(fraction: number): string {
  return `${Number((fraction * 100).toPrecision(3))} %`;
}

/** A quantity beside its limit: never printed as equal when it is not. */
export function formatBeside(fraction: number, limit: number): string {
  const text = formatPercent(fraction);
  if (text !== formatPercent(limit)) return text;
  const isEqual = Math.abs(fraction - limit) <= limit * roundingOfDoubles;
  return isEqual
    ? formatLimit(limit)
    : `just ${fraction > limit ? 'over' : 'under'} ${formatLimit(limit)}`;
}

/** A few units in the last place of a double. */
const roundingOfDoubles = 1e-14;
