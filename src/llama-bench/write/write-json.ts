import type { BenchRow } from './bench-row.ts';
import { llamaBenchFields, sampleFields } from './fields.ts';
import { formatJson } from './format-value.ts';
import { ownColumns } from './own-columns.ts';

/** An array of flat objects in llama-bench's layout. */
export function writeJson(rows: readonly BenchRow[]): string {
  if (rows.length === 0) return '[\n\n]\n';
  const objects = rows.map((row) => {
    const members = listMembers(row).map((member) => `    ${member}`);
    return `  {\n${members.join(',\n')}\n  }`;
  });
  return `[\n${objects.join(',\n')}\n]\n`;
}

/** One object a line. */
export function writeJsonLines(rows: readonly BenchRow[]): string {
  return rows.map((row) => `{${listMembers(row).join(', ')}}\n`).join('');
}

function listMembers(row: BenchRow): string[] {
  const { llamaBench } = row;
  const member = (name: string, text: string) => `${JSON.stringify(name)}: ${text}`;
  return [
    ...llamaBenchFields.map(([name, type]) => member(name, formatJson(llamaBench[name]!, type))),
    ...sampleFields.map((name) => member(name, formatJson(llamaBench[name]!, 'TEXT'))),
    // ours are written as they are: six decimals would be too few for a share
    ...ownColumns.map(({ name, read }) => member(name, formatJson(read(row), 'TEXT'))),
  ];
}
