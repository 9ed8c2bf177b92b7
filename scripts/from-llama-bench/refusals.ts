import { cutOffFile, notesFile, smallFile } from './models.ts';
import { readRefusal } from './read-output.ts';
import type { RunCommand } from './run-command.ts';

/** Options that both programs refuse. */
export const refused: readonly string[] = [
  `-m ${notesFile}`,
  `-m ${cutOffFile}`,
  `-m ${smallFile} -t many`,
  `-m ${smallFile} --threds 2`,
  `-m ${smallFile} -fa 0 -ctv q8_0`,
];

/** A table of what both say. */
export async function runRefusals(run: RunCommand): Promise<string> {
  const rows: string[] = [];
  for (const options of refused) {
    const theirs = await run(`llama-bench ${options}`, [0, 1]);
    const ours = await run(`rooflaw bench ${options}`, [2]);
    const cells = [theirs, ours].flatMap(({ command, stderr, exitStatus }) => [
      readRefusal(command, stderr).replaceAll('|', '\\|'),
      exitStatus,
    ]);
    rows.push(`| \`${options}\` | ${cells.join(' | ')} |`);
  }
  return [
    '| typed | llama-bench says | exit | rooflaw says | exit |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    'llama-bench opens a file when its turn comes; the time for the files before it may already be spent. Rooflaw looks at options, headers,',
    'lengths and memory of everything before the first process, and names all faults at once.',
  ].join('\n');
}
