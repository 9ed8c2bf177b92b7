import { type Command, InvalidArgumentError } from 'commander';
import { diagnose, type Finding } from '../device/diagnose.ts';
import { readMachine } from '../device/machine-readings.io.ts';
import { formatJson, toPrintableLines } from '../printable.ts';

/** As in protocol v1. */
const defaultThreads = 4;

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Say what on this machine will disturb measuring; it changes nothing.')
    .option('--threads <n>', 'threads of the protocol', parseThreads, defaultThreads)
    .option('--json', 'print one JSON object instead of text')
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw doctor --threads 2
  $ rooflaw doctor --json | jq -r '.findings[] | select(.state == "warning") | .advice'

Each finding is ok, a warning with what to do, or not measured (the system does not show it).

Exit status: 0 told, with warnings too (they do not forbid measuring); 2 invalid options`,
    )
    .action(async (options: { threads: number; json?: true }) => {
      const readings = await readMachine();
      const findings = diagnose(readings, options.threads);
      const text = options.json
        ? formatJson({ readings, findings }).trimEnd()
        : toPrintableLines(renderFindings(findings));
      process.stdout.write(`${text}\n`);
    });
}

function renderFindings(findings: readonly Finding[]): string {
  const label = { ok: 'ok', warning: 'WARNING', 'not-measured': 'not measured' };
  const width = Math.max(...findings.map(({ what }) => what.length));
  const indent = ' '.repeat(14);
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  return [
    ...findings.flatMap(({ what, state, seen, advice }) => [
      `${label[state].padEnd(12)}  ${what.padEnd(width)}  ${seen}`,
      ...(advice === null ? [] : [`${indent}try: ${advice}`]),
    ]),
    '',
    warnings === 0
      ? 'nothing was found that disturbs measuring'
      : `${warnings} of ${findings.length} findings may disturb measuring`,
  ].join('\n');
}

function parseThreads(text: string): number {
  const threads = Number(text);
  if (!Number.isInteger(threads) || threads < 1) {
    throw new InvalidArgumentError('It must be a whole number from 1.');
  }
  return threads;
}
