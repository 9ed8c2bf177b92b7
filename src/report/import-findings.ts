import type {
  LlamaBenchFinding,
  LlamaBenchImport,
  LlamaBenchRun,
} from '../formats/llama-bench-import.ts';
import { causeWords } from '../llama-bench/row-findings.ts';
import { formatPoint, type Terminal } from './terminal.ts';

/** What was found, one point each; what holds for several rows in the same words is said once. */
export function formatImportFindings(
  { runs, findings }: LlamaBenchImport,
  terminal: Terminal,
): string[] {
  const say = ({ severity, text }: LlamaBenchFinding, rows: readonly number[]) => {
    const where = rows.length === 0 ? '' : `${listRows(rows)}: `;
    return formatPoint(terminal, `${where}${text}`).map((line) =>
      severity === 'wrong' ? terminal.paint('red', line) : line,
    );
  };
  const groups = new Map<string, { finding: LlamaBenchFinding; rows: number[] }>();
  for (const { row, findings: ofRow } of runs) {
    for (const finding of ofRow) {
      if (finding.code === 'inexact-figure') continue;
      const group = groups.get(finding.text) ?? { finding, rows: [] };
      group.rows.push(row);
      groups.set(finding.text, group);
    }
  }
  return [
    ...findings.flatMap((finding) => say(finding, [])),
    ...[...groups.values()].flatMap(({ finding, rows }) => say(finding, rows)),
    ...formatInexact(runs, terminal),
    ...formatMissing(runs, terminal),
  ];
}

/** Rows that are named one by one. */
const namedRows = 10;

function listRows(rows: readonly number[]): string {
  if (rows.length === 1) return `row ${rows[0]}`;
  const more = rows.length - namedRows;
  const named = rows.slice(0, namedRows).join(', ');
  return more > 0 ? `rows ${named} and ${more} more` : `rows ${named}`;
}

/** Figures that are off by little are told by column and cause, with the largest error. */
function formatInexact(runs: readonly LlamaBenchRun[], terminal: Terminal): string[] {
  const groups = new Map<string, { rows: number[]; largest: number; words: string }>();
  for (const { row, printed } of runs) {
    for (const [column, figure] of Object.entries(printed)) {
      if (figure?.verdict !== 'inexact') continue;
      const words = `${column} is not exact: ${causeWords[figure.cause!]}`;
      const group = groups.get(words) ?? { rows: [], largest: 0, words };
      group.rows.push(row);
      group.largest = Math.max(group.largest, Math.abs(figure.relativeError!));
      groups.set(words, group);
    }
  }
  return [...groups.values()].flatMap(({ rows, largest, words }) => {
    const most = `${Number((largest * 100).toPrecision(2))} %`;
    return formatPoint(terminal, `${listRows(rows)}: ${words} (off by ${most} at most)`);
  });
}

/** A reason for several tests is said once. */
function formatMissing(runs: readonly LlamaBenchRun[], terminal: Terminal): string[] {
  const rowsOf = new Map<string, number[]>();
  for (const { row, missing } of runs) {
    const reason = missing.find(({ field }) => field === 'statistics')?.reason;
    if (reason === undefined) continue;
    const rows = rowsOf.get(reason);
    if (rows) rows.push(row);
    else rowsOf.set(reason, [row]);
  }
  return [...rowsOf].flatMap(([reason, rows]) =>
    formatPoint(terminal, rows.length === runs.length ? reason : `${listRows(rows)}: ${reason}`),
  );
}
