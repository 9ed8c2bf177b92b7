/** A duration as people say it: `850 ms`, `4.2 s`, `3 min 05 s`, `2 h 10 min`. */
export function formatDuration(ns: number): string {
  const seconds = ns / 1e9;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Bytes in decimal units, as disks are sold: `1.3 GB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** `1,096`: a whole number with commas after its thousands. */
export function formatWhole(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 trial`, `3 trials`: a count with its noun. */
export function formatCount(count: number, noun: string): string {
  return `${formatWhole(count)} ${noun}${count === 1 ? '' : 's'}`;
}
