import { escapeCell } from '../../markdown.ts';
import { formatCount } from '../../units.ts';
import type { BenchRow } from './bench-row.ts';
import { listHiddenSettings, settingText, varies } from './markdown-columns.ts';
import { samplesOf } from './own-columns.ts';

/** llama-bench's last line; none where the rows are of several builds, which have a column then. */
export function describeBuild(rows: readonly BenchRow[]): string[] {
  const [first] = rows;
  if (first === undefined || varies(rows, 'build_commit')) return [];
  const commit = settingText(first, 'build_commit').replaceAll(/\s/g, '') || 'unknown';
  return [`build: ${escapeCell(commit)} (${settingText(first, 'build_number')})`, ''];
}

/** What llama-bench's own default is, where a hidden column of ours has another. */
const otherDefaults: Readonly<Record<string, string>> = {
  flash_attn: 'auto',
  load_mode: 'auto',
  split_mode: 'layer',
};

/** What the numbers of the table are, those included that have no column. */
export function explainTable(rows: readonly BenchRow[]): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const has = (test: (row: BenchRow) => boolean) => rows.some(test);
  const repetitions = new Set(rows.map(({ ours }) => `${ours.warmup} ${ours.kept}`));
  const hidden = listHiddenSettings(rows);
  const shown = hidden
    .filter(({ field }) => field === 'n_threads' || field === 'devices')
    .map(({ field, heading }) => `${heading} ${escapeCell(settingText(first, field))}`);
  const other = hidden
    .filter(({ field }) => field in otherDefaults)
    .map(({ field, heading }) => {
      return `${heading} ${escapeCell(settingText(first, field))} (llama-bench: ${otherDefaults[field]})`;
    });
  return [
    't/s: the representative, tokens over the median of the processes’ times (llama-bench prints a mean);',
    '±: standard deviation over the processes’ own t/s, not over repetitions inside one process' +
      `${has((row) => samplesOf(row).length === 1) ? '; nan: fewer than two processes have none' : ''}.`,
    `interval t/s: of that median over processes, with what it covers in brackets${
      has(({ ours }) => ours.interval === null) ? '; none: too few processes' : ''
    }.`,
    `processes: fresh ones that gave a time${
      repetitions.size === 1
        ? `, each the mean of ${formatCount(first.ours.kept, 'kept repetition')} after ${first.ours.warmup} for warm-up`
        : ''
    }${has(({ ours }) => ours.processes === 0) ? '; failed: none did' : ''}.`,
    `stable: small range over processes and small spread inside each, by the protocol’s limits${
      has(({ ours }) => ours.stable === null)
        ? '; unknown: one kept repetition, or one process, has no spread'
        : ''
    }; no test of equality.`,
    ...(shown.length + other.length > 0
      ? [`not in a column: ${[...shown, ...other].join(', ')}.`]
      : []),
  ];
}
