import { readFileSync } from 'node:fs';
import { Command, CommanderError, Help, type Option } from 'commander';
import { describeError, exitStatus, RooflawError } from './errors.ts';
import { toPrintableLines } from './printable.ts';

/** In the order of the help. Each is loaded when it is asked for: all together take twice as long to start. */
const commands: Record<string, () => Promise<(program: Command) => void>> = {
  bench: async () => (await import('./commands/bench.ts')).registerBench,
  tokens: async () => (await import('./commands/tokens.ts')).registerTokens,
  ab: async () => (await import('./commands/ab.ts')).registerAb,
  gate: async () => (await import('./commands/gate.ts')).registerGate,
  diagnose: async () => (await import('./commands/diagnose.ts')).registerDiagnose,
  pilot: async () => (await import('./commands/pilot.ts')).registerPilot,
  plan: async () => (await import('./commands/plan.ts')).registerPlan,
  run: async () => (await import('./commands/run.ts')).registerRun,
  status: async () => (await import('./commands/status.ts')).registerStatus,
  verify: async () => (await import('./commands/verify.ts')).registerVerify,
  seal: async () => (await import('./commands/seal.ts')).registerSeal,
  analyze: async () => (await import('./commands/analyze.ts')).registerAnalyze,
  compare: async () => (await import('./commands/compare.ts')).registerCompare,
  report: async () => (await import('./commands/report.ts')).registerReport,
  publish: async () => (await import('./commands/publish.ts')).registerPublish,
  import: async () => (await import('./commands/import.ts')).registerImport,
  note: async () => (await import('./commands/note.ts')).registerNote,
  space: async () => (await import('./commands/space.ts')).registerSpace,
  doctor: async () => (await import('./commands/doctor.ts')).registerDoctor,
  explain: async () => (await import('./commands/explain.ts')).registerExplain,
  completion: async () => (await import('./commands/completion.ts')).completionOf(commands),
};

async function createProgram(verb: string | undefined): Promise<Command> {
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
  $ rooflaw explain stable                     what a word of a table means
  $ eval "$(rooflaw completion bash)"          complete commands, options and names

Exit status:
  0 success   1 defect of rooflaw   2 invalid input   3 some trials failed
  4 the machine lacks something   5 a file is not what its hash says
  6 device or campaign in use   130 stopped; can be resumed`,
    );
  const load = verb !== undefined && Object.hasOwn(commands, verb) ? [verb] : Object.keys(commands);
  for (const name of load) (await commands[name]!())(program);
  applyToAll(program, (command) => {
    command.exitOverride();
    command.configureHelp({ optionDescription: describeOption });
    // words of the command line are quoted in errors; they must not steer the terminal
    command.configureOutput({ outputError: (text, write) => write(toPrintableLines(text)) });
  });
  return program;
}

/** A switch that is off and a list that is empty are no default worth words. */
function describeOption(option: Option): string {
  const value: unknown = option.defaultValue;
  const isNothing = value === false || (Array.isArray(value) && value.length === 0);
  const shown: Option = isNothing
    ? Object.create(option, { defaultValue: { value: undefined } })
    : option;
  return new Help().optionDescription(shown);
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
    await (await createProgram(argv[2])).parseAsync(argv);
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
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${toPrintableLines(trace)}\n`);
  return exitStatus.unexpected;
}
