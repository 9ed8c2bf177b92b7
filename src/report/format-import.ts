import type { LlamaBenchImport, LlamaBenchRun } from '../formats/llama-bench-import.ts';
import { toPrintable } from '../printable.ts';
import { formatBytes, formatCount } from '../units.ts';
import { formatImportFindings } from './import-findings.ts';
import { tellSettings } from './import-settings.ts';
import { formatImportTable, isOfProcesses } from './import-table.ts';
import {
  createTerminal,
  formatBlock,
  formatPoint,
  formatSentence,
  type Terminal,
} from './terminal.ts';
import { wrapText } from './text-layout.ts';

/** What llama-bench's output says once its statistics are recomputed, for a terminal. */
export function formatImport(
  result: LlamaBenchImport,
  options: { colour: boolean; width: number },
): string {
  const terminal = createTerminal(options);
  const lines = [
    ...formatHead(result, terminal),
    ...formatImportTable(result, terminal),
    ...formatBlock(terminal, 'Findings', formatImportFindings(result, terminal)),
    ...formatBlock(terminal, 'Lost', formatLosses(result, terminal)),
    ...formatBlock(terminal, 'Not read, as it is no result', formatIgnored(result, terminal)),
    ...formatBlock(
      terminal,
      'What this does not show',
      result.limits.flatMap((limit) => formatPoint(terminal, limit)),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const layoutNames = {
  json: 'JSON',
  jsonl: 'JSON lines',
  csv: 'CSV',
  sql: 'SQL',
  md: 'Markdown',
} as const;

function formatHead(result: LlamaBenchImport, terminal: Terminal): string[] {
  const { source, runs, conditions, limits } = result;
  const encoding = source.encoding === 'utf-8' ? '' : ` in ${source.encoding.toUpperCase()}`;
  const title = `${source.name}: ${formatCount(runs.length, 'test')} of ${runs.every(isOfProcesses) ? 'rooflaw bench' : 'llama-bench'}, ${formatCount(conditions.length, 'condition')}, ${layoutNames[source.layout]}${encoding}`;
  const verdict = describeVerdictOfFile(runs);
  return [
    ...wrapText(toPrintable(title), terminal.width).map((line) => terminal.paint('bold', line)),
    ...wrapText(verdict, terminal.width).map((line) =>
      runs.some(isWrong) ? terminal.paint('red', line) : line,
    ),
    ...wrapText(capitalize(limits[0]!), terminal.width),
    ...formatSettings(result, terminal),
  ];
}

function capitalize(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function describeVerdictOfFile(runs: readonly LlamaBenchRun[]): string {
  const wrong = runs.filter(isWrong).length;
  const checked = runs.filter(({ statistics }) => statistics !== null).length;
  const found =
    wrong > 0 ? `Wrong figures in ${wrong} of ${formatCount(runs.length, 'test')}.` : '';
  if (checked === 0) {
    return `No samples in this file: nothing of it can be recomputed. ${found}`.trim();
  }
  const unchecked = runs.length - checked;
  const rest = unchecked > 0 ? ` ${formatCount(unchecked, 'test')} without samples.` : '';
  return `Recomputed from the samples. ${found || 'No figure is wrong.'}${rest}`;
}

function isWrong({ findings }: LlamaBenchRun): boolean {
  return findings.some(({ severity }) => severity === 'wrong');
}

function formatSettings(result: LlamaBenchImport, terminal: Terminal): string[] {
  const { shared, together } = tellSettings(result);
  const same = shared.map(([name, value]) => `${name} ${value === '' ? '(empty)' : value}`);
  const along = [...together].map(
    ([name, others]) => `changes where ${name} does: ${others.join(', ')}`,
  );
  return [
    ...formatBlock(
      terminal,
      'The same in every test',
      same.length > 0 ? formatSentence(terminal, same.join(', ')) : [],
    ),
    ...formatBlock(
      terminal,
      'Not in the table',
      along.flatMap((sentence) => formatSentence(terminal, sentence)),
    ),
  ];
}

function formatLosses({ losses }: LlamaBenchImport, terminal: Terminal): string[] {
  return losses.flatMap(({ line, bytes, what }) =>
    formatPoint(terminal, `line ${line}: ${what} (${describeSize(bytes)})`),
  );
}

/** Pieces of other text that are shown; a log may be long. */
const shownPieces = 5;

function formatIgnored({ ignored }: LlamaBenchImport, terminal: Terminal): string[] {
  const more = ignored.length - shownPieces;
  return [
    ...ignored
      .slice(0, shownPieces)
      .flatMap(({ line, bytes, text }) =>
        formatPoint(terminal, `line ${line}, ${describeSize(bytes)}: ${text}`),
      ),
    ...(more > 0 ? formatPoint(terminal, `and ${formatCount(more, 'more piece')}`) : []),
  ];
}

function describeSize(bytes: number): string {
  return bytes < 1000 ? formatCount(bytes, 'byte') : formatBytes(bytes);
}
