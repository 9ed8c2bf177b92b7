import { readFileSync, statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { RooflawError } from '../errors.ts';
import { type LlamaBenchLayout, llamaBenchLayoutSchema } from '../formats/llama-bench-import.ts';
import { importLlamaBench } from '../llama-bench/import-llama-bench.ts';
import { formatJson } from '../printable.ts';
import { formatImport } from '../report/format-import.ts';
import { describeOutput } from './output-terminal.ts';

export function registerImport(program: Command): void {
  const group = program
    .command('import')
    .description('Read what other tools measured, and recompute it.')
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw import llama-bench bench.json

Exit status: 0 imported, 2 unreadable or not of that tool`,
    );
  registerLlamaBench(group);
}

function registerLlamaBench(group: Command): void {
  group
    .command('llama-bench')
    .description('Recompute llama-bench’s statistics from its samples, and say where it is wrong.')
    .argument(
      '<file>',
      'what llama-bench printed (-o json, jsonl, csv, sql or md); - is standard input',
    )
    .addOption(
      new Option('--format <format>', 'do not look what it is').choices(
        llamaBenchLayoutSchema.options,
      ),
    )
    .option('--json', 'the whole result as JSON (docs/import-llama-bench.md)', false)
    .addHelpText(
      'after',
      `
Example:
  $ llama-bench -m model.gguf -o json > bench.json
  $ rooflaw import llama-bench bench.json
  $ llama-bench -m model.gguf -o jsonl | rooflaw import llama-bench -

Of llama-bench’s formats only JSON and JSON lines hold the samples; of the others nothing can be
recomputed. What rooflaw bench -o wrote is read too. What a crash cut off is reported, and every
complete test is read.

Exit status: 0 imported (also when figures are wrong: they are findings), 2 unreadable, not
llama-bench’s, or values that cannot be`,
    )
    .action(async (file: string, options: { format?: LlamaBenchLayout; json: boolean }) => {
      const result = importLlamaBench(await readInput(file), nameOf(file), options.format ?? null);
      process.stdout.write(
        options.json ? formatJson(result) : formatImport(result, describeOutput()),
      );
    });
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** llama-bench writes about a kilobyte a test. */
const maxBytes = 256 * 2 ** 20;

function tooLarge(file: string): RooflawError {
  return new RooflawError('invalid-input', `${nameOf(file)} is larger than 256 MiB`, {
    hint: 'llama-bench writes about a kilobyte a test: check that this is its output',
  });
}

async function readStandardInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) throw tooLarge('-');
  }
  return Buffer.concat(chunks);
}

async function readInput(file: string): Promise<Uint8Array> {
  try {
    if (file === '-') return await readStandardInput();
    const status = statSync(file);
    if (status.size > maxBytes) throw tooLarge(file);
    if (!status.isFile() && !status.isDirectory()) {
      throw new RooflawError('invalid-input', `${file} is no regular file`, {
        hint: 'a pipe is read from standard input: name it -',
      });
    }
    return readFileSync(file);
  } catch (cause) {
    if (cause instanceof RooflawError) throw cause;
    const { message } = cause as Error;
    throw new RooflawError('not-found', `cannot read ${nameOf(file)}: ${message}`, {
      hint: 'give the file that llama-bench wrote, or - to read standard input',
      cause,
    });
  }
}
