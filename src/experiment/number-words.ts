import { formatPercent } from '../analysis/format-percent.ts';
import type { Metric } from '../formats/experiment.ts';

/** What a metric is, in words that follow "the". */
export const metricWords: Record<Metric, string> = {
  time: 'time',
  'first-repetition': 'time of the first repetition',
  'slowest-repetition': 'time of the slowest kept repetition',
  'main-cpu-time': 'CPU time of the main thread',
  'process-cpu-time': 'CPU time of the process',
  'time-off-cpu': 'time of the main thread off the CPU',
  'scheduler-wait': 'time the main thread waited for a CPU',
  migrations: 'count of migrations',
  'involuntary-switches': 'count of involuntary switches',
  'voluntary-switches': 'count of voluntary switches',
  'page-faults': 'count of page faults',
  frequency: 'effective frequency',
  preparation: 'time before the timer',
  load: 'time of loading the model',
  process: 'time of the whole process',
  'first-slice-throughput': 'throughput of the first slice of integer work over the last ones',
  'first-slice-frequency': 'frequency of the first slice of integer work over the last ones',
};

/** Times that the timer of a repetition does not hold. */
export const isOutsideTimer = (metric: Metric): boolean =>
  metric === 'preparation' ||
  metric === 'load' ||
  metric === 'process' ||
  metric.startsWith('first-slice-');

const counts: readonly Metric[] = [
  'migrations',
  'involuntary-switches',
  'voluntary-switches',
  'page-faults',
];

/** A number of a metric with its unit: `14.82 ms`, `0.9951`, `3`. */
export function formatMetric(metric: Metric, value: number): string {
  if (counts.includes(metric)) return formatPlain(value);
  if (metric.startsWith('first-slice-')) return value.toFixed(4);
  if (metric === 'frequency')
    return value > 1e6 ? `${(value / 1e9).toFixed(3)} GHz` : value.toFixed(4);
  return formatTime(value);
}

const formatPlain = (value: number) => String(Number(value.toPrecision(4)));

/** Four digits: `14.82 ms`, `812.4 µs`, `1.204 s`. */
export function formatTime(ns: number): string {
  const size = Math.abs(ns);
  if (size < 999.95) return `${formatPlain(ns)} ns`;
  if (size < 999_950) return `${(ns / 1e3).toPrecision(4)} µs`;
  if (size < 999_950_000) return `${(ns / 1e6).toPrecision(4)} ms`;
  return `${(ns / 1e9).toPrecision(4)} s`;
}

/** A ratio as a change: 1.0767 -> `7.67 % larger`. */
export function formatChange(ratio: number): string {
  if (ratio === 1) return 'the same';
  return `${formatPercent(Math.abs(ratio - 1))} ${ratio > 1 ? 'larger' : 'smaller'}`;
}

/** `-0.42 % to 1.03 %` */
export function formatChanges({ lower, upper }: { lower: number; upper: number }): string {
  const sign = (ratio: number) => (ratio > 1 ? '+' : '');
  return `${sign(lower)}${formatPercent(lower - 1)} to ${sign(upper)}${formatPercent(upper - 1)}`;
}
