/**
 * A limit as somebody wrote it: 0.05 -> `5 %`, 0.125 -> `12.5 %`. Three digits, so that neither the
 * last bit of a product nor a third shows.
 */
export function formatLimit(fraction: number): string {
  return `${Number((fraction * 100).toPrecision(3))} %`;
}

/** The same rounded up: from this limit on something holds. */
export function formatLimitUpwards(fraction: number): string {
  const percent = fraction * 100;
  const nearest = Number(percent.toPrecision(3));
  const isBelow = nearest < percent * (1 - roundingOfDoubles);
  const step = 10 ** (Math.floor(Math.log10(percent)) - 2);
  return `${Number((isBelow ? nearest + step : nearest).toPrecision(3))} %`;
}

/** A quantity beside its limit: never printed as equal when it is not. */
export function formatBeside(fraction: number, limit: number): string {
  const text = formatLimit(fraction);
  if (text !== formatLimit(limit) || Math.abs(fraction - limit) <= limit * roundingOfDoubles) {
    return text;
  }
  return `just ${fraction > limit ? 'over' : 'under'} ${text}`;
}

/** A few units in the last place of a double. */
const roundingOfDoubles = 1e-14;
