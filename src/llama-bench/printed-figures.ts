import type { PrintedFigure, SampleStatistics } from '../formats/llama-bench-import.ts';
import type { PrintedColumn } from './columns.ts';
import type { Measurement, PrintedText } from './measurement.ts';
import { overflowDeviationNs, toolDeviationNs, toolVarianceError } from './tool-arithmetic.ts';

export type PrintedFigures = Record<PrintedColumn, PrintedFigure | null>;

/**
 * Each printed figure against what the samples give. It is confirmed when it is right to its last
 * digit, rounded or cut off (llama-bench cuts its whole nanoseconds).
 */
export function judgePrinted(
  measurement: Measurement,
  statistics: SampleStatistics | null,
): PrintedFigures {
  const judge = (column: PrintedColumn): PrintedFigure | null => {
    const printed = measurement.printed[column];
    if (printed === undefined) return null;
    return statistics === null
      ? judgeAlone(column, printed, measurement)
      : judgeFigure(column, printed, measurement, statistics);
  };
  return {
    avg_ns: judge('avg_ns'),
    stddev_ns: judge('stddev_ns'),
    avg_ts: judge('avg_ts'),
    stddev_ts: judge('stddev_ts'),
  };
}

function judgeFigure(
  column: PrintedColumn,
  printed: PrintedText,
  measurement: Measurement,
  statistics: SampleStatistics,
): PrintedFigure {
  const { text, value } = printed;
  const right = rightValue(column, statistics);
  if (right === null) return unknownFigure(text); // one repetition: whatever is printed
  if (Number.isNaN(value)) {
    const cause = findCause(column, printed, measurement, statistics);
    return { ...unknownFigure(text), right, cause };
  }
  if (isRight(column, text, value, right)) {
    return { text, value, verdict: 'confirmed', right, relativeError: 0, cause: null };
  }
  const relativeError = right === 0 ? null : value / right - 1;
  return {
    text,
    value,
    verdict: relativeError !== null && Math.abs(relativeError) < wrongFrom ? 'inexact' : 'wrong',
    right,
    relativeError,
    cause: findCause(column, printed, measurement, statistics),
  };
}

/** What is off by less is no reason to distrust the row: llama-bench's rounding does as much. */
const wrongFrom = 0.001;

/** Without samples: 0 and what is no number mean unknown; an overflow shows itself. */
function judgeAlone(
  column: PrintedColumn,
  { text, value }: PrintedText,
  measurement: Measurement,
): PrintedFigure {
  if (Number.isNaN(value) || value === 0) return unknownFigure(text);
  const unchecked = { text, value, right: null, relativeError: null };
  return column === 'stddev_ns' && hasOverflown(measurement)
    ? { ...unchecked, verdict: 'wrong', cause: 'integer-overflow' }
    : { ...unchecked, verdict: 'unchecked', cause: null };
}

function unknownFigure(text: string): PrintedFigure {
  return { text, value: null, verdict: 'unknown', right: null, relativeError: null, cause: null };
}

function rightValue(column: PrintedColumn, statistics: SampleStatistics): number | null {
  const { meanNs, sdNs, tokensPerSecond } = statistics;
  const values: Record<PrintedColumn, number | null> = {
    avg_ns: meanNs,
    stddev_ns: sdNs,
    avg_ts: tokensPerSecond.meanOfRates,
    stddev_ts: tokensPerSecond.sdOfRates,
  };
  return values[column];
}

/** Doubles that llama-bench adds up lose about this much. */
const doubleError = 1e-12;

function isRight(column: PrintedColumn, text: string, value: number, right: number): boolean {
  // a little more than half of the last digit, which is itself no binary number
  const tolerance = column.endsWith('_ns') ? 1 : lastPlace(text) * 0.51;
  return Math.abs(value - right) <= tolerance + doubleError * right;
}

/** The value of the last digit that is written: 0.01 for `34.05`. */
function lastPlace(text: string): number {
  return 10 ** -(/\.(\d+)/.exec(text)?.[1]?.length ?? 0);
}

function findCause(
  column: PrintedColumn,
  { value }: PrintedText,
  { samplesNs }: Measurement,
  { n, tokensPerSecond }: SampleStatistics,
): PrintedFigure['cause'] {
  if (column === 'stddev_ns') {
    const wrapped = toolDeviationNs(samplesNs!, true)!;
    if (Math.abs(Number(wrapped) - value) > 1) return 'unexplained';
    return toolDeviationNs(samplesNs!, false) === wrapped ? 'truncated-mean' : 'integer-overflow';
  }
  if (column === 'stddev_ts') {
    const { meanOfRates, sdOfRates } = tokensPerSecond;
    const variance = sdOfRates! ** 2;
    const error = Number.isNaN(value) ? variance : Math.abs(value ** 2 - variance);
    const isRounding = error <= toolVarianceError(n, meanOfRates, sdOfRates!);
    return isRounding ? 'cancellation' : 'unexplained';
  }
  return 'unexplained';
}

/** Both coefficients of variation describe the same repetitions; near 0 they are nearly the same. */
const agreementFactor = 2;

/**
 * A deviation of the times that is as large as only an overflow makes it, while that of the rates
 * is less than half of it relative to its mean.
 */
function hasOverflown({ printed }: Measurement): boolean {
  const { avg_ns, stddev_ns, avg_ts, stddev_ts } = printed;
  if (!avg_ns?.value || !stddev_ns?.value || !avg_ts?.value || !stddev_ts?.value) return false;
  const { least, greatest } = overflowDeviationNs;
  if (stddev_ns.value < least || stddev_ns.value > greatest) return false;
  const cvOfRates = stddev_ts.value / avg_ts.value;
  return stddev_ns.value / avg_ns.value > agreementFactor * cvOfRates;
}
