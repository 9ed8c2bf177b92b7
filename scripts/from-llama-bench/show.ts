import { type Row, readFirstObject, readTable } from './read-output.ts';
import type { Ran } from './run-command.ts';

/** Left out where they are the same in every row, so that lines stay short. */
const dull = new Set(['model', 'size', 'params', 'backend', 'threads']);

/** The same rows as text, without columns that say the same in every row and are no option. */
export function drawTable(rows: readonly Row[]): string {
  const headings = Object.keys(rows[0] ?? {}).filter(
    (name) => !dull.has(name) || new Set(rows.map((row) => row[name])).size > 1,
  );
  const lines = [Object.fromEntries(headings.map((name) => [name, name])), ...rows];
  const widths = headings.map((name) => Math.max(...lines.map((row) => (row[name] ?? '').length)));
  const draw = (row: Row) =>
    `| ${headings.map((name, at) => (row[name] ?? '').padStart(widths[at]!)).join(' | ')} |`;
  return lines.map(draw).join('\n');
}

/** Of Rooflaw's fields those that a script would read first. */
const jsonFields = [
  ...['n_prompt', 'n_gen', 'avg_ns', 'stddev_ns', 'avg_ts', 'stddev_ts', 'samples_ns'],
  ...['representative_ts', 'interval_lower_ts', 'interval_upper_ts', 'interval_coverage'].map(
    (name) => `rooflaw_${name}`,
  ),
  ...['processes', 'disturbed', 'stable', 'warmup', 'kept'].map((name) => `rooflaw_${name}`),
];
const mostValues = 5;

/** Some fields of an object, one a line, and the first values of its lists. */
export function drawFields(row: Readonly<Record<string, unknown>>): string {
  const draw = (value: unknown) => {
    if (!Array.isArray(value) || value.length <= mostValues) return JSON.stringify(value);
    return `[${value.slice(0, mostValues).join(',')}, … ${value.length - mostValues} more]`;
  };
  const names = jsonFields.filter((name) => name in row);
  return names.map((name) => `  "${name}": ${draw(row[name])}`).join('\n');
}

/** A block with what one command printed. */
export function showRan({ command, seconds }: Ran, printed: string): string {
  return `\`${command}\` (${seconds.toFixed(1)} s)\n\n\`\`\`text\n${printed.trimEnd()}\n\`\`\`\n`;
}

/** Lines below Rooflaw's table that make a reader doubt it. */
const doubt = /^(DISTURBED|DRIFT)/;

/** What a bench printed: fields of its JSON, or its table and what makes one doubt it. */
export function showBench(ran: Ran): string {
  if (ran.stdout.startsWith('[')) return showRan(ran, drawFields(readFirstObject(ran.stdout)));
  const doubts = ran.stdout.split('\n').filter((line) => doubt.test(line));
  return showRan(ran, [drawTable(readTable(ran.stdout)), ...doubts].join('\n'));
}

/** The same with its legend. */
export function showWholeBench(ran: Ran): string {
  const rest = ran.stdout.split('\n').filter((line) => !line.startsWith('|'));
  return showRan(ran, [drawTable(readTable(ran.stdout)), ...rest].join('\n'));
}

/** What a program printed up to a line; what is left out is counted. */
export function showUntil(ran: Ran, last: RegExp): string {
  const lines = ran.stdout.trimEnd().split('\n');
  const at = lines.findIndex((line) => last.test(line));
  if (at <= 0) return showRan(ran, lines.join('\n'));
  const shown = lines.slice(0, at).join('\n').trimEnd();
  return showRan(ran, `${shown}\n[${lines.length - at} more lines]`);
}
