/** 0.0446 -> `4.46 %`; from 10 % on one decimal: `1,138.2 %`. */
export function formatPercent(fraction: number): string {
  const percent = fraction * 100;
  return `${separateThousands(percent.toFixed(Math.abs(percent) < 9.995 ? 2 : 1))} %`;
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

/** A least value that suffices, so rounded up: 0.0104721 -> `1.05 %`, 0.4 -> `40.0 %`. */
export function formatLeastPercent(fraction: number): string {
  const percent = fraction * 100;
  const decimals = percent < 9.995 ? 2 : 1;
  const steps = Number((percent * 10 ** decimals).toPrecision(12)); // 10 % stay 10 %
  return `${separateThousands((Math.ceil(steps) / 10 ** decimals).toFixed(decimals))} %`;
}

/** `targets from 46.8 % on`; no target can be declared from 100 % on. */
export function describeLeastTarget(fraction: number): string {
  return fraction < 1 ? `targets from ${formatLeastPercent(fraction)} on` : 'no target below 100 %';
}

/** Commas after the thousands of a written number: `1138.2` -> `1,138.2`. */
function separateThousands(digits: string): string {
  const [whole, decimals] = digits.split('.');
  const separated = whole!.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? separated : `${separated}.${decimals}`;
}
