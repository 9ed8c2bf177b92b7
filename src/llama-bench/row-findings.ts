import type {
  LlamaBenchFinding,
  PrintedFigure,
  SampleStatistics,
  StartTransient,
} from '../formats/llama-bench-import.ts';
import { formatCount } from '../units.ts';
import { type PrintedColumn, printedColumns } from './columns.ts';
import type { Measurement } from './measurement.ts';
import type { PrintedFigures } from './printed-figures.ts';

/** How far the mean of the rates may be above the rate over the mean time without a word. */
const ratesDifferAbove = 0.01;
/** samples_ts has six significant digits. */
const samplesTsError = 6e-6;

/** Everything that there is to say about one row. */
export function findRowFindings(
  measurement: Measurement,
  statistics: SampleStatistics | null,
  printed: PrintedFigures,
  transient: StartTransient | null,
): LlamaBenchFinding[] {
  return [
    ...describeSamplesHad(measurement),
    ...printedColumns.flatMap((column) => describeFigure(column, printed[column], measurement)),
    ...describeContradiction(measurement, statistics),
    ...(transient === null ? [] : [describeTransient(transient)]),
    ...(statistics === null ? [] : describeRates(statistics, measurement)),
  ];
}

function describeSamplesHad(measurement: Measurement): LlamaBenchFinding[] {
  const { sampleKind, samplesNs, samplesTs, promptTokens, generatedTokens } = measurement;
  if (samplesNs === null) return [];
  if (samplesNs.length === 0) {
    const why = sampleKind === 'process' ? 'no process gave a time' : 'nothing was repeated (-r 0)';
    const text = `there are no samples: ${why}, and nothing is known`;
    return [{ code: 'no-samples', severity: 'notice', column: 'samples_ns', text }];
  }
  if (samplesTs === null) return [];
  const tokens = promptTokens + generatedTokens;
  const differing = samplesNs.findIndex((ns, index) => {
    const rate = (1e9 * tokens) / Number(ns);
    return Math.abs((samplesTs[index] ?? 0) / rate - 1) > samplesTsError;
  });
  if (differing === -1 && samplesTs.length === samplesNs.length) return [];
  const text =
    samplesTs.length === samplesNs.length
      ? `samples_ts[${differing}] is ${samplesTs[differing]}, but samples_ns[${differing}] gives ${((1e9 * tokens) / Number(samplesNs[differing])).toPrecision(6)}: samples_ns is used`
      : `samples_ns has ${formatCount(samplesNs.length, 'sample')}, samples_ts ${samplesTs.length}: samples_ns is used`;
  return [{ code: 'samples-disagree', severity: 'wrong', column: 'samples_ts', text }];
}

/** Why a printed figure is not what the samples give. */
export const causeWords = {
  'integer-overflow':
    'llama-bench squares nanoseconds in 64-bit integers, and their sum went beyond 2^64',
  'truncated-mean':
    'llama-bench drops the fraction of a nanosecond from the mean before it squares it',
  cancellation: 'llama-bench subtracts two large numbers that differ by less than their rounding',
  unexplained:
    'neither the samples nor llama-bench’s own arithmetic give it; the row was changed, or another program wrote it',
} as const;

function describeFigure(
  column: PrintedColumn,
  figure: PrintedFigure | null,
  measurement: Measurement,
): LlamaBenchFinding[] {
  if (figure === null || figure.verdict === 'confirmed' || figure.verdict === 'unchecked')
    return [];
  if (measurement.samplesNs?.length === 0) return []; // said once, for all figures
  const { text, right, relativeError, cause } = figure;
  const printed = `${column} is printed as ${text}`;
  if (figure.verdict === 'unknown' && right === null) {
    const why = whyUnknown(column, text, measurement);
    const said = `${printed}: ${why}`;
    return [{ code: 'unknown-figure', severity: 'notice', column, text: said }];
  }
  if (right === null) {
    const { avg_ns, stddev_ns, avg_ts, stddev_ts } = measurement.printed;
    const ofTimes = percent(stddev_ns!.value / avg_ns!.value);
    const ofRates = percent(stddev_ts!.value / avg_ts!.value);
    const said = `${printed}, ${ofTimes} of the mean, while the rates have ${ofRates}: ${causeWords[cause!]}`;
    return [{ code: 'wrong-figure', severity: 'wrong', column, text: said }];
  }
  const by = relativeError === null ? '' : ` (${describeError(relativeError)})`;
  const said = `${printed}, the samples give ${formatRight(column, right)}${by}: ${causeWords[cause!]}`;
  if (figure.verdict === 'inexact') {
    return [{ code: 'inexact-figure', severity: 'notice', column, text: said }];
  }
  const code = figure.verdict === 'unknown' ? 'unknown-figure' : 'wrong-figure';
  return [{ code, severity: 'wrong', column, text: said }];
}

function whyUnknown(
  column: PrintedColumn,
  text: string,
  { samplesNs, sampleKind }: Measurement,
): string {
  const n = samplesNs?.length ?? null;
  const isOurs = sampleKind === 'process';
  if (n === 1) return `one ${sampleKind} has no deviation, so it is unknown`;
  if (n === 0 || column.startsWith('avg')) {
    return `${isOurs ? 'no process gave a time' : 'nothing was repeated'}, so it is unknown`;
  }
  if (Number(text) !== 0) return 'no number, so it is unknown';
  if (isOurs) return 'so it is where there is no other process to differ from';
  return 'so it is after a single repetition (-r 1), whose deviation is unknown';
}

/** The mean of the rates is never less than the rate over the mean time. */
function describeContradiction(
  { printed, promptTokens, generatedTokens }: Measurement,
  statistics: SampleStatistics | null,
): LlamaBenchFinding[] {
  const [ns, rate] = [printed.avg_ns?.value, printed.avg_ts?.value];
  if (statistics !== null || !ns || !rate) return [];
  const tokens = promptTokens + generatedTokens;
  const rounding = 1 / ns + 1e-6 / rate;
  if ((ns * rate) / 1e9 >= tokens * (1 - rounding)) return [];
  const least = ((1e9 * tokens) / ns).toFixed(2);
  return [
    {
      code: 'impossible-figures',
      severity: 'wrong',
      column: 'avg_ts',
      text: `avg_ts is printed as ${printed.avg_ts!.text}, but ${formatCount(tokens, 'token')} in avg_ns make at least ${least}: no repetitions give both`,
    },
  ];
}

function describeTransient(transient: StartTransient): LlamaBenchFinding {
  const { count, direction, threshold, firstOverRest, rest } = transient;
  const which =
    count === 1
      ? 'the first sample differs from the rest'
      : `the first ${count} samples differ from the rest`;
  const what =
    direction === 'slower'
      ? 'a warm-up transient'
      : 'the start was faster, as before clocks fall or heat builds up';
  const rates = rest.tokensPerSecond;
  const deviation = rates.sdOfRates === null ? '' : ` ± ${rates.sdOfRates.toFixed(2)} (sd)`;
  return {
    code: 'start-transient',
    severity: 'notice',
    column: 'samples_ns',
    text:
      `${which}: ${what}. The first took ${firstOverRest.toPrecision(3)} times the median of the later ones ` +
      `(flagged when every early sample is more than ${threshold} times as ${direction === 'slower' ? 'slow' : 'fast'} as every later one). ` +
      `Mean and deviation mix two states; the later ${rest.n} alone have ${rates.meanOfRates.toFixed(2)}${deviation} t/s. No sample is dropped`,
  };
}

function describeRates(
  { tokensPerSecond }: SampleStatistics,
  { sampleKind }: Measurement,
): LlamaBenchFinding[] {
  const samples = sampleKind === 'process' ? 'processes' : 'repetitions';
  const { meanOfRates, overMeanTime } = tokensPerSecond;
  const excess = meanOfRates / overMeanTime - 1;
  if (excess <= ratesDifferAbove) return [];
  return [
    {
      code: 'rates-differ',
      severity: 'notice',
      column: 'avg_ts',
      text: `the mean of the rates, ${meanOfRates.toFixed(2)} t/s, is ${percent(excess)} above the tokens over the mean time, ${overMeanTime.toFixed(2)} t/s: fast ${samples} weigh more in it`,
    },
  ];
}

function formatRight(column: PrintedColumn, right: number): string {
  return right.toFixed(column.endsWith('_ns') ? 1 : 6);
}

function describeError(relativeError: number): string {
  const factor = relativeError + 1;
  if (factor >= 2) return `${factor.toPrecision(3)} times too large`;
  return `${relativeError > 0 ? '+' : ''}${percent(relativeError)}`;
}

/** Three significant digits: `30.6 %`, `0.00085 %`. */
function percent(fraction: number): string {
  return `${Number((fraction * 100).toPrecision(3))} %`;
}
