import type { Command } from 'commander';
import { describeError, exitStatus, type Fault, RooflawError } from '../errors.ts';
import type { Gate } from '../formats/ab.ts';
import { formatJson, toPrintableLines } from '../printable.ts';
import { formatGate } from '../report/format-gate.ts';
import { asksForHelp, wordsAfter } from './ab-words.ts';
import { measureGate } from './gate-measure.ts';
import { checkGateFiles, writeGateFiles } from './gate-output.ts';
import {
  type GateFiles,
  type GateRequest,
  readGateRequest,
  takeGateFiles,
} from './gate-request.ts';
import { assembleGate, gateWithout } from './gate-result.ts';
import { helpOfGate } from './gate-words.ts';
import { describeOutput } from './output-terminal.ts';
import { createProgress } from './progress.ts';

/** What a pull request's check sees; not those of the other commands. */
export const gateStatus: Readonly<Record<Gate['verdict'], number>> = {
  pass: 0,
  regression: 1,
  inconclusive: 2,
  unfit: 2,
  broken: 3,
};

export function registerGate(program: Command): void {
  const registered = program
    .command('gate')
    .description(
      'Let a change pass only if it is not slower than allowed, on a machine that is fit to tell.',
    )
    .usage('--base FOLDER --candidate FOLDER -m FILE.gguf [options]')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[options...]')
    .action(async (_words: readonly string[], _options: unknown, command: Command) => {
      const words = wordsAfter(command);
      if (asksForHelp(words)) process.stdout.write(helpOfGate);
      else await runGate(words);
    });
  // for `rooflaw help gate`: commander knows none of the options
  registered.helpInformation = () => helpOfGate;
}

/** Whatever goes wrong is 3, `broken`: 1 means that the candidate is slower. */
async function runGate(words: readonly string[]): Promise<void> {
  const began = process.hrtime.bigint();
  const elapsedNs = () => Number(process.hrtime.bigint() - began);
  const faults: Fault[] = [];
  const { files, rest } = takeGateFiles(words, faults);
  let request: GateRequest | null = null;
  try {
    checkGateFiles(files);
    request = readGateRequest(rest, faults);
    const measurement = await measureGate(request, elapsedNs, createProgress());
    const gate = assembleGate(measurement, request, elapsedNs());
    const isJson = request.shared.output === 'json';
    if (measurement.state === 'stopped') {
      tellWithoutVerdict(gate, files, isJson);
      process.exitCode = exitStatus.interrupted;
      return;
    }
    const failures = tell(gate, files, isJson);
    process.exitCode = failures === 0 ? gateStatus[gate.verdict] : gateStatus.broken;
  } catch (error) {
    const isJson = request === null ? rest.includes('--json') : request.shared.output === 'json';
    process.exitCode = tellBroken(error, { files, isJson }, request, elapsedNs());
  }
}

/** One verdict, wherever it can be written. @returns how many files could not be */
function tell(gate: Gate, files: GateFiles, isJson: boolean): number {
  process.stdout.write(isJson ? formatJson(gate) : formatGate(gate, describeOutput()));
  return sayFailures(writeGateFiles(gate, files));
}

function sayFailures(failures: readonly unknown[]): number {
  for (const failure of failures) {
    const isKnown = failure instanceof RooflawError;
    process.stderr.write(`${isKnown ? describeError(failure) : unexpectedWords(failure)}\n`);
  }
  return failures.length;
}

/** @returns the exit status */
function tellBroken(
  error: unknown,
  { files, isJson }: { files: GateFiles; isJson: boolean },
  request: GateRequest | null,
  tookNs: number,
): number {
  const isExpected = error instanceof RooflawError;
  const words = isExpected ? describeError(error) : unexpectedWords(error);
  process.stderr.write(`${words}\n`);
  const gate = gateWithout(
    'broken',
    words.replace(/^rooflaw: /, '').replaceAll(/\s*\n\s*/g, '; '),
    {
      maxSlowdown: request?.maxSlowdown ?? null,
      timeLimitNs: request?.timeLimitNs ?? null,
      tookNs,
    },
  );
  tellWithoutVerdict(gate, files, isJson);
  return isExpected && error.code === 'interrupted' ? exitStatus.interrupted : gateStatus.broken;
}

/** Whoever waits for a file or for JSON gets it; a person has read why on standard error. */
function tellWithoutVerdict(gate: Gate, files: GateFiles, isJson: boolean): void {
  if (isJson) process.stdout.write(formatJson(gate));
  sayFailures(writeGateFiles(gate, files));
}

function unexpectedWords(error: unknown): string {
  const trace = error instanceof Error ? error.stack : String(error);
  return `rooflaw: unexpected error, a defect of rooflaw itself:\n${toPrintableLines(trace ?? '')}`;
}
