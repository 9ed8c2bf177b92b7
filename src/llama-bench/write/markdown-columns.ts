import { createBaseExecution } from '../options/base-execution.ts';
import type { BenchRow } from './bench-row.ts';
import { describeSettings } from './describe-bench-row.ts';
import { formatCell } from './format-value.ts';

/** A column of llama-bench's table. */
export interface MarkdownColumn {
  heading: string;
  /** Characters at least. */
  width: number;
  align: 'left' | 'right';
  textOf: (row: BenchRow) => string;
}

/** Settings that may have a column, in llama-bench's order, with its headings and widths. */
const settingColumns: readonly (readonly [
  field: string,
  heading: string,
  width: number,
  align?: 'left',
])[] = [
  ['n_gpu_layers', 'ngl', 3],
  ['n_threads', 'threads', 7],
  ['cpu_mask', 'cpu_mask', 10, 'left'],
  ['cpu_strict', 'cpu_strict', 10],
  ['poll', 'poll', 10],
  ['n_batch', 'n_batch', 7],
  ['n_ubatch', 'n_ubatch', 8],
  ['type_k', 'type_k', 6],
  ['type_v', 'type_v', 6],
  ['main_gpu', 'main_gpu', 10],
  ['split_mode', 'sm', 6],
  ['no_kv_offload', 'nkvo', 13],
  ['flash_attn', 'fa', 3],
  ['devices', 'dev', 12, 'left'],
  ['load_mode', 'lm', 10],
  ['lazy_mode', 'lazy_mode', 10, 'left'],
  ['no_op_offload', 'nopo', 4],
  ['no_host', 'noh', 4],
];

const base = describeSettings({
  execution: createBaseExecution(1),
  device: 'CPU',
  mainDevice: null,
});
/** Backends whose table shows the threads and not the layers on a GPU. */
const cpuBackends = /CPU|BLAS|ZenDNN/;

/** A setting's value in a cell. */
export function settingText({ llamaBench }: BenchRow, field: string): string {
  return formatCell(llamaBench[field]!, 'INTEGER');
}

export function varies(rows: readonly BenchRow[], field: string): boolean {
  return new Set(rows.map((row) => settingText(row, field))).size > 1;
}

function isShown(rows: readonly BenchRow[], field: string): boolean {
  const isOnCpu = rows.every((row) => cpuBackends.test(settingText(row, 'backends')));
  if (varies(rows, field)) return true;
  if (field === 'n_gpu_layers') return !isOnCpu;
  if (field === 'n_threads') return isOnCpu;
  if (field === 'devices') return false;
  return rows.some((row) => settingText(row, field) !== formatCell(base[field]!, 'INTEGER'));
}

/** The fields that `selectSettingColumns` leaves out, with the heading each would have. */
export function listHiddenSettings(
  rows: readonly BenchRow[],
): { field: string; heading: string }[] {
  return settingColumns
    .filter(([field]) => !isShown(rows, field))
    .map(([field, heading]) => ({ field, heading }));
}

/** As llama-bench: what varies or is not the default; here the default of `rooflaw bench`. */
export function selectSettingColumns(rows: readonly BenchRow[]): MarkdownColumn[] {
  return settingColumns
    .filter(([field]) => isShown(rows, field))
    .map(([field, heading, width, align]) => ({
      heading,
      width,
      align: align ?? 'right',
      textOf: (row) => settingText(row, field),
    }));
}
