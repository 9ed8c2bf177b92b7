import { formatPercent } from '../analysis/format-percent.ts';
import { formatWhole } from '../units.ts';

export { formatLeastPercent, formatPercent, formatShare } from '../analysis/format-percent.ts';

/** A unit that a duration is shown in. */
export interface TimeUnit {
  name: 'ns' | 'µs' | 'ms' | 's';
  ns: number;
  /** Decimals that give five significant digits at the size the unit was chosen for. */
  decimals: number;
}

const timeUnits = [
  { name: 's', ns: 1e9 },
  { name: 'ms', ns: 1e6 },
  { name: 'µs', ns: 1e3 },
  { name: 'ns', ns: 1 },
] as const;

/** Digits that show a difference of a thousandth and one place below it. */
const significantDigits = 5;

/** The unit in which a duration has one to three digits before the point. */
export function chooseTimeUnit(ns: number): TimeUnit {
  const unit = timeUnits.find((candidate) => ns >= candidate.ns) ?? timeUnits[3];
  const whole = Math.floor(ns / unit.ns).toString().length;
  return { ...unit, decimals: Math.max(0, significantDigits - whole) };
}

/** A duration in a given unit, without the unit's name. */
export function formatIn(unit: TimeUnit, ns: number): string {
  return (ns / unit.ns).toFixed(unit.decimals);
}

/** `14.825 ms` */
export function formatTime(ns: number): string {
  const unit = chooseTimeUnit(ns);
  return `${formatIn(unit, ns)} ${unit.name}`;
}

/** `27,634`, `345.6`, `1.234`: whole from a thousand on, four significant digits below. */
export function formatRate(perSecond: number): string {
  if (perSecond < 999.95) return perSecond.toPrecision(4);
  return formatWhole(Math.round(perSecond));
}

/** A percentage with its sign: `+1.60 %`, `-0.20 %`, `0.00 %`. */
export function formatChange(fraction: number): string {
  const text = formatPercent(fraction);
  if (Number.parseFloat(text) === 0) return text.replace('-', '');
  return fraction > 0 ? `+${text}` : text;
}

/** `p = 0.0117`, `p < 0.0001`: three significant digits. */
export function formatPValue(pValue: number): string {
  return pValue < 0.0001 ? 'p < 0.0001' : `p = ${Number(pValue.toPrecision(3))}`;
}
