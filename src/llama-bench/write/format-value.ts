import { toPrintableJson, toPrintableLines } from '../../printable.ts';
import type { LlamaBenchValue } from './bench-row.ts';
import type { ColumnType } from './fields.ts';
import type { OwnValue } from './own-columns.ts';

/**
 * A value in a cell of CSV or SQL, as llama-bench writes it: flags are 0 and 1, rates have six decimals.
 * Neither has a way to write a control character, and SQLite's shell stops reading at U+0000: U+FFFD
 * stands for all but line breaks. JSON has them.
 */
export function formatCell(value: LlamaBenchValue | OwnValue, type: ColumnType): string {
  if (value === null) return '';
  if (Array.isArray(value)) return formatSamples(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return formatNumber(value, type);
  return toPrintableLines(value);
}

/** The same in JSON, where flags are true and false. */
export function formatJson(value: LlamaBenchValue | OwnValue, type: ColumnType): string {
  if (Array.isArray(value)) return formatSamples(value);
  if (typeof value === 'number') return formatNumber(value, type);
  return toPrintableJson(JSON.stringify(typeof value === 'string' ? value.toWellFormed() : value));
}

function formatNumber(value: number, type: ColumnType): string {
  return type === 'REAL' ? value.toFixed(6) : String(value);
}

function formatSamples(samples: readonly number[]): string {
  return `[ ${samples.join(', ')} ]`;
}
