import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { registerAnalyze } from './commands/analyze.ts';
import { registerCompare } from './commands/compare.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerImport } from './commands/import.ts';
import { registerNote } from './commands/note.ts';
import { registerPilot } from './commands/pilot.ts';
import { registerPlan } from './commands/plan.ts';
import { registerPublish } from './commands/publish.ts';
import { registerReport } from './commands/report.ts';
import { registerRun } from './commands/run.ts';
import { registerSpace } from './commands/space.ts';
import { registerStatus } from './commands/status.ts';
import { registerVerify } from './commands/verify.ts';
import { describeError, exitStatus, RooflawError } from './errors.ts';
import { toPrintable } from './printable.ts';

function createProgram(): Command {
  const { version } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  const program = new Command('rooflaw')
    .description('Measures what running a language model costs, and says what the numbers support.')
    .version(version)
    .showHelpAfterError('(rooflaw --help lists the commands)')
    .addHelpText(
      'after',
      `
Begin with:
  $ rooflaw pilot                              measure a small campaign on this machine's CPU
  $ rooflaw plan --space pilot --protocol v1 --out pilot.plan.json
  $ rooflaw run pilot.plan.json                measure it; run it again to resume

Exit status:
  0 success   1 defect of rooflaw   2 invalid input   3 some trials failed
  4 the machine lacks something   5 a file is not what its hash says
  6 device or campaign in use   130 stopped; can be resumed`,
    );
  for (const register of [
    registerPilot,
    registerPlan,
    registerRun,
    registerStatus,
    registerVerify,
    registerAnalyze,
    registerCompare,
    registerReport,
    registerPublish,
    registerImport,
    registerNote,
    registerSpace,
    registerDoctor,
  ]) {
    register(program);
  }
  applyToAll(program, (command) => {
    command.exitOverride();
    command.configureOutput({ outputError: (text, write) => write(printableLines(text)) });
  });
  return program;
}

/** Words of the command line are quoted in errors; they must not steer the terminal. */
function printableLines(text: string): string {
  return text.split('\n').map(toPrintable).join('\n');
}

function applyToAll(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const child of command.commands) applyToAll(child, change);
}

/** Runs the program; the exit status is set, never forced, so that output is flushed. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`rooflaw ... | head`) is no error.
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitStatus.ok);
    process.stderr.write(`rooflaw: cannot write to standard output: ${error.message}\n`);
    process.exit(exitStatus.environment);
  });
  process.stderr.on('error', () => {}); // nobody reads the progress: no reason to stop measuring
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    process.exitCode = reportError(error);
  }
}

function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitStatus.invalidInput;
  if (error instanceof RooflawError) {
    process.stderr.write(`${describeError(error)}\n`);
    return error.exitStatus;
  }
  process.stderr.write('rooflaw: unexpected error, a defect of rooflaw itself:\n');
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return exitStatus.unexpected;
}
