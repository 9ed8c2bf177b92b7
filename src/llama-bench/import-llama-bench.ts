import { type Fault, RooflawError } from '../errors.ts';
import type {
  LlamaBenchFinding,
  LlamaBenchImport,
  LlamaBenchLayout,
  LlamaBenchRun,
} from '../formats/llama-bench-import.ts';
import { throwTableFaults } from '../formats/strict-csv.ts';
import { sha256Hex } from '../hash.ts';
import { formatCount } from '../units.ts';
import { findRepeatedRows, findUnknownColumns, groupByCondition } from './conditions.ts';
import { decodeText } from './decode-text.ts';
import { describeLimits } from './limits.ts';
import { type Measurement, readMeasurement } from './measurement.ts';
import { judgePrinted } from './printed-figures.ts';
import type { RowsRead } from './raw-row.ts';
import { detectLayout, readRows } from './read-rows.ts';
import { findRowFindings } from './row-findings.ts';
import { type SampleKind, sampleLimits } from './sample-kind.ts';
import { describeSamples } from './sample-statistics.ts';
import { createSourceText } from './source-text.ts';
import { findStartTransient } from './start-transient.ts';
import { findUnitFaults } from './unit-faults.ts';

/**
 * Reads what llama-bench wrote, recomputes every statistic from the samples, and says which of the
 * tool's own figures are wrong.
 * @param layout what the person says the file is; null: it is found out
 * @throws RooflawError `invalid-input` for what is no output of llama-bench, and for rows whose
 *   values cannot be, with every fault at once
 */
export function importLlamaBench(
  bytes: Uint8Array,
  name: string,
  layout: LlamaBenchLayout | null,
): LlamaBenchImport {
  const decoded = decodeText(bytes);
  const source = createSourceText(decoded);
  const used = layout ?? detectLayout(source);
  if (used === null) throw notLlamaBench(name, decoded.text);
  const read = readRows(source, used);
  const measurements = checkRows(read, name);
  const conditions = groupByCondition(measurements);
  const conditionOf = new Map(
    conditions.flatMap(({ runs }, condition) => runs.map((run) => [run, condition] as const)),
  );
  const unknownColumns = findUnknownColumns(measurements);
  return {
    format: 'rooflaw-llama-bench-import',
    formatVersion: 1,
    source: {
      name,
      sha256: sha256Hex(bytes),
      bytes: bytes.length,
      encoding: decoded.encoding,
      layout: used,
      layoutFrom: layout === null ? 'content' : 'option',
    },
    limits: describeLimits(measurements, used),
    losses: read.losses,
    ignored: read.ignored,
    unknownColumns,
    conditions,
    runs: measurements.map((measurement, index) =>
      describeRun(measurement, conditionOf.get(index)!, used),
    ),
    findings: [
      ...(decoded.hasInvalidBytes ? [invalidText(decoded.encoding)] : []),
      ...(unknownColumns.length > 0 ? [describeUnknownColumns(unknownColumns)] : []),
      ...findRepeatedRows(conditions, measurements),
    ],
  };
}

/** @throws RooflawError `invalid-input` with every fault, or when there is nothing to import */
function checkRows(read: RowsRead, name: string): Measurement[] {
  const isBench = read.rows.some(({ fields }) => marks.some((column) => fields.has(column)));
  if (read.rows.length > 0 && !isBench) {
    throw new RooflawError('invalid-input', `${name} is no output of llama-bench`, {
      hint: `its rows have none of ${marks.join(', ')}`,
    });
  }
  const faults: Fault[] = [...read.faults];
  const measurements: Measurement[] = [];
  for (const row of read.rows) {
    const measurement = readMeasurement(row, faults);
    if (measurement !== null) {
      measurements.push(measurement);
      faults.push(...findUnitFaults(measurement));
    }
    if (faults.length >= enoughFaults) break;
  }
  throwTableFaults(name, faults);
  if (measurements.length === 0) {
    const [loss] = read.losses;
    throw new RooflawError('invalid-input', `${name} holds no complete row`, {
      hint: loss
        ? `line ${loss.line}: ${loss.what}`
        : 'llama-bench ended before its first test: see what it wrote to standard error',
    });
  }
  return measurements;
}

/** A file with so many faults is another file, and nobody needs their number. */
const enoughFaults = 1000;
/** Columns of which every output of llama-bench has one. */
const marks = ['n_prompt', 'n_gen', 'samples_ns', 'avg_ns', 'avg_ts'];

function notLlamaBench(name: string, text: string): RooflawError {
  const what = text.trim() === '' ? `${name} is empty` : `${name} is no output of llama-bench`;
  return new RooflawError('invalid-input', what, {
    hint: 'it is read as JSON, JSON lines, CSV, SQL or a Markdown table (llama-bench -o json); --format says which',
  });
}

function invalidText(encoding: string): LlamaBenchFinding {
  const text = `some bytes of the file are not ${encoding.toUpperCase()}; names may be damaged`;
  return { code: 'invalid-text', severity: 'notice', column: null, text };
}

function describeUnknownColumns(names: readonly string[]): LlamaBenchFinding {
  const text = `${formatCount(names.length, 'column')} that no known version writes (${names.join(', ')}): part of the condition, so that nothing is averaged over ${names.length === 1 ? 'it' : 'them'}`;
  return { code: 'unknown-columns', severity: 'notice', column: null, text };
}

function describeRun(
  measurement: Measurement,
  condition: number,
  layout: LlamaBenchLayout,
): LlamaBenchRun {
  const { sampleKind, samplesNs, promptTokens, generatedTokens, depthTokens } = measurement;
  const tokens = promptTokens + generatedTokens;
  const hasSamples = samplesNs !== null && samplesNs.length > 0;
  const statistics = hasSamples ? describeSamples(samplesNs, tokens) : null;
  const isOneProcess = sampleKind === 'repetition';
  const transient = hasSamples && isOneProcess ? findStartTransient(samplesNs, tokens) : null;
  const printed = judgePrinted(measurement, statistics);
  return {
    row: measurement.row,
    line: measurement.line,
    condition,
    test: nameTest(promptTokens, generatedTokens, depthTokens),
    promptTokens,
    generatedTokens,
    depthTokens,
    testTime: measurement.testTime,
    samplesNs: samplesNs?.map(Number) ?? null,
    statistics,
    printed,
    startTransient: transient,
    interval: null,
    missing: findMissing(measurement, layout),
    findings: findRowFindings(measurement, statistics, printed, transient),
  };
}

/** `pp512`, `tg128`, `pp512+tg128`, `tg128 @ d4096` */
function nameTest(prompt: number, generated: number, depth: number | null): string {
  const parts = [prompt > 0 ? `pp${prompt}` : '', generated > 0 ? `tg${generated}` : ''];
  return `${parts.filter((part) => part !== '').join('+')}${depth ? ` @ d${depth}` : ''}`;
}

function findMissing(
  { sampleKind, samplesNs }: Measurement,
  layout: LlamaBenchLayout,
): LlamaBenchRun['missing'] {
  const missing = [{ field: 'interval', reason: sampleLimits[sampleKind] }];
  if (samplesNs === null) {
    missing.push({ field: 'statistics', reason: whyNoSamples(sampleKind, layout) });
  } else if (samplesNs.length === 0) {
    const reason =
      sampleKind === 'process' ? 'no process gave a time' : 'nothing was repeated (-r 0)';
    missing.push({ field: 'statistics', reason });
  } else if (samplesNs.length === 1) {
    const reason =
      sampleKind === 'process'
        ? 'one process has no deviation'
        : 'one repetition has no deviation; -r 1 prints 0, which means unknown';
    missing.push({ field: 'statistics.sdNs', reason }, { field: 'statistics.cv', reason });
    missing.push({ field: 'statistics.tokensPerSecond.sdOfRates', reason });
  }
  return missing;
}

function whyNoSamples(sampleKind: SampleKind, layout: LlamaBenchLayout): string {
  const isTable = layout === 'csv' || layout === 'sql' || layout === 'md';
  if (sampleKind === 'repetition' && isTable) {
    return `llama-bench writes no samples in this format (${layout}): nothing can be recomputed; use -o json`;
  }
  return layout === 'md'
    ? 'a Markdown table has no samples: nothing can be recomputed; use -o json'
    : 'the row has no samples_ns: nothing can be recomputed';
}
