import { escapeCell } from '../../markdown.ts';
import type { BenchRow } from './bench-row.ts';
import {
  type MarkdownColumn,
  selectSettingColumns,
  settingText,
  varies,
} from './markdown-columns.ts';
import { describeBuild, explainTable } from './markdown-notes.ts';
import { rateOf, samplesOf } from './own-columns.ts';

/**
 * llama-bench's table with three columns more, the build below it, and under that what each number
 * is. Its `t/s` column has the representative here, not the mean; its shape stays, so that what
 * reads it goes on working. `nan` stands for the deviation of a single process, `failed` for a rate where
 * every process failed.
 */
export function writeMarkdown(rows: readonly BenchRow[]): string {
  const columns = selectColumns(rows);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [
    line(columns.map((column) => pad(column.heading, column))),
    line(columns.map(drawRule)),
    ...rows.map((row) =>
      line(columns.map((column) => pad(escapeCell(column.textOf(row)), column))),
    ),
  ];
  return `${[...table, '', ...describeBuild(rows), ...explainTable(rows)].join('\n')}\n`;
}

const right = (heading: string, width: number, textOf: MarkdownColumn['textOf']) =>
  ({ heading, width, align: 'right', textOf }) satisfies MarkdownColumn;
const left = (heading: string, width: number, textOf: MarkdownColumn['textOf']) =>
  ({ heading, width, align: 'left', textOf }) satisfies MarkdownColumn;

function selectColumns(rows: readonly BenchRow[]): MarkdownColumn[] {
  return [
    left('model', 30, (row) => settingText(row, 'model_type')),
    ...(areAlike(rows)
      ? [left('model_filename', 14, (row) => settingText(row, 'model_filename'))]
      : []),
    right('size', 10, ({ llamaBench }) => formatSize(Number(llamaBench.model_size))),
    right('params', 10, ({ llamaBench }) => formatParameters(Number(llamaBench.model_n_params))),
    left('backend', 10, (row) => settingText(row, 'backends')),
    ...(varies(rows, 'build_commit')
      ? [left('build_commit', 12, (row) => settingText(row, 'build_commit'))]
      : []),
    ...(hideVariants(rows) ? [left('variant', 12, ({ ours }) => ours.variant)] : []),
    ...selectSettingColumns(rows),
    right('test', 15, formatTest),
    right('t/s', 20, formatRates),
    right('interval t/s', 27, formatInterval),
    right('processes', 12, ({ ours }) =>
      ours.failed === 0 ? String(ours.processes) : `${ours.processes}, ${ours.failed} failed`,
    ),
    right('stable', 7, ({ ours }) =>
      ours.stable === null ? 'unknown' : ours.stable ? 'yes' : 'no',
    ),
  ];
}

/** Whether llama-bench's fields do not tell two variants apart: two backends, say. */
function hideVariants(rows: readonly BenchRow[]): boolean {
  const told = new Set(rows.map((row) => JSON.stringify(describeWithout(row))));
  return told.size < rows.length;
}

/** What a row is of, without its times. */
function describeWithout({ llamaBench, ours }: BenchRow) {
  const { avg_ns, stddev_ns, avg_ts, stddev_ts, samples_ns, samples_ts, ...rest } = llamaBench;
  return [rest, ours.modelSha256];
}

/** Whether llama-bench's columns do not tell two models apart. */
function areAlike(rows: readonly BenchRow[]): boolean {
  const files = new Map(
    rows.map((row) => [
      settingText(row, 'model_filename'),
      ['model_type', 'model_size', 'model_n_params'].map((field) => settingText(row, field)),
    ]),
  );
  return new Set([...files.values()].map((cells) => cells.join('\n'))).size < files.size;
}

function pad(text: string, { width, align }: MarkdownColumn): string {
  const padding = ' '.repeat(Math.max(0, width - [...text].length));
  return align === 'left' ? text + padding : padding + text;
}

function drawRule({ width, align }: MarkdownColumn): string {
  return `${'-'.repeat(width - 1)}${align === 'left' ? '-' : ':'}`;
}

const mebibyte = 1024 ** 2;

function formatSize(bytes: number): string {
  return bytes < 1024 * mebibyte
    ? `${(bytes / mebibyte).toFixed(2)} MiB`
    : `${(bytes / mebibyte / 1024).toFixed(2)} GiB`;
}

function formatParameters(count: number): string {
  return count < 1e9 ? `${(count / 1e6).toFixed(2)} M` : `${(count / 1e9).toFixed(2)} B`;
}

function formatTest({ llamaBench: { n_prompt, n_gen, n_depth } }: BenchRow): string {
  const name = Number(n_prompt) > 0 ? `pp${n_prompt}` : `tg${n_gen}`;
  return Number(n_depth) > 0 ? `${name} @ d${n_depth}` : name;
}

function formatRates(row: BenchRow): string {
  if (row.ours.processes === 0) return row.ours.failed > 0 ? 'failed' : 'none';
  const rate = rateOf(row, row.ours.representativeNs) ?? 0;
  const deviation = samplesOf(row).length < 2 ? 'nan' : Number(row.llamaBench.stddev_ts).toFixed(2);
  return `${rate.toFixed(2)} ± ${deviation}`;
}

function formatInterval(row: BenchRow): string {
  const { interval } = row.ours;
  if (interval === null) return 'none';
  const lower = rateOf(row, interval.upperNs)!.toFixed(2);
  const upper = rateOf(row, interval.lowerNs)!.toFixed(2);
  return `${lower}–${upper} (${(100 * interval.coverage).toFixed(1)} %)`;
}
