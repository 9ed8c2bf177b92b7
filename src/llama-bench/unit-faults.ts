import type { Fault } from '../errors.ts';
import type { Measurement } from './measurement.ts';

/** What a slip between ns, µs, ms and s multiplies by. */
const unitFactors = [1e3, 1e6, 1e9];
/** Two figures of the same quantity in one unit are never so near to a factor of a thousand. */
const nearness = 0.02;

/**
 * Times of one row in different units, as after an edit. llama-bench writes all of them in ns, and
 * its rates are per second.
 */
export function findUnitFaults(measurement: Measurement): Fault[] {
  const { row, line, samplesNs, samplesTs, printed } = measurement;
  const tokens = measurement.promptTokens + measurement.generatedTokens;
  const averageNs = printed.avg_ns?.value ?? null;
  const meanNs = samplesNs?.length ? meanOf(samplesNs.map(Number)) : null;
  const pairs: [string, number | null, string, number | null][] = [
    ['avg_ns', averageNs, 'the mean of samples_ns', meanNs],
    [
      'avg_ns',
      averageNs,
      'the time that avg_ts means',
      printed.avg_ts === undefined ? null : (1e9 * tokens) / printed.avg_ts.value,
    ],
    [
      'samples_ns',
      samplesNs?.length ? Number(samplesNs[0]) : null,
      'the times that samples_ts means',
      samplesTs?.length ? (1e9 * tokens) / samplesTs[0]! : null,
    ],
  ];
  return pairs.flatMap(([name, value, otherName, other]) => {
    const factor = value && other ? unitFactorOf(value / other) : null;
    if (factor === null) return [];
    return [
      {
        where: `row ${row} (line ${line}), ${name}`,
        what: `differs from ${otherName} by a factor of ${factor}: the units are mixed`,
        hint: 'every time is in nanoseconds, as llama-bench writes it',
      },
    ];
  });
}

function unitFactorOf(ratio: number): string | null {
  const larger = Math.max(ratio, 1 / ratio);
  const factor = unitFactors.find((candidate) => Math.abs(larger / candidate - 1) < nearness);
  return factor === undefined ? null : factor.toLocaleString('en-US');
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
