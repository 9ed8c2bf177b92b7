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
  return Math.round(perSecond).toLocaleString('en-US');
}

/** 0.0446 -> `4.46 %`; from 10 % on one decimal. */
export function formatPercent(fraction: number): string {
  const percent = fraction * 100;
  return `${percent.toFixed(Math.abs(percent) < 9.995 ? 2 : 1)} %`;
}

/** A percentage with its sign: `+1.60 %`, `-0.20 %`, `0.00 %`. */
export function formatChange(fraction: number): string {
  const text = formatPercent(fraction);
  if (Number.parseFloat(text) === 0) return text.replace('-', '');
  return fraction > 0 ? `+${text}` : text;
}

/**
 * A share of draws or trials: `73.6 %`, `0 %`, `100 %`. What is not quite none or all is not shown
 * as if it were: `<0.1 %`, `>99.9 %`.
 */
export function formatShare(share: number): string {
  if (share === 0 || share === 1) return `${share * 100} %`;
  if (share < 0.0005) return '<0.1 %';
  if (share > 0.9995) return '>99.9 %';
  return `${(share * 100).toFixed(1)} %`;
}

/** `p = 0.0117`, `p < 0.0001`: three significant digits. */
export function formatPValue(pValue: number): string {
  return pValue < 0.0001 ? 'p < 0.0001' : `p = ${Number(pValue.toPrecision(3))}`;
}

/** A least value that suffices, so rounded up: 0.0104721 -> `1.05 %`, 0.4 -> `40.0 %`. */
export function formatLeastPercent(fraction: number): string {
  const percent = fraction * 100;
  const decimals = percent < 9.995 ? 2 : 1;
  const steps = Number((percent * 10 ** decimals).toPrecision(12)); // 10 % stay 10 %
  return `${(Math.ceil(steps) / 10 ** decimals).toFixed(decimals)} %`;
}
