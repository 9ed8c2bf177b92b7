import { type Command, InvalidArgumentError } from 'commander';
import { throwFaults } from '../errors.ts';
import { quantizationSchema } from '../formats/architecture.ts';
import { parseValue } from '../formats/parse.ts';
import { formatJson, toPrintable } from '../printable.ts';
import { designSpace } from '../space/design.ts';
import { findDesignFaults } from '../space/design-faults.ts';
import { type DesignRequest, designRequestSchema } from '../space/design-request.ts';
import { formatSpace } from '../space/format-space.ts';
import { findMemoryFaults } from '../space/memory.ts';
import { listSpaces, readSpace } from '../space/shipped.io.ts';
import { describeDesign, standardDesign } from '../space/standard-design.ts';
import { type SpaceSummary, summariseSpace } from '../space/summary.ts';
import { formatBytes } from '../units.ts';
import { writeNewFile } from './write-file.ts';

export function registerSpace(program: Command): void {
  const space = program
    .command('space')
    .description('Show, design and check sets of architectures and conditions.')
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw space show pilot

Exit status: 0 success, 2 no such space or a malformed one`,
    );
  registerShow(space);
  registerDesign(space);
  registerCheck(space);
}

function registerShow(space: Command): void {
  space
    .command('show')
    .description('Print what a space holds: parameters, weight bytes and KV-cache bytes.')
    .argument('<space>', `a file, or one of: ${listSpaces().join(', ')}`)
    .option('--json', 'print one JSON object instead of tables')
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw space show llama-25

Exit status: 0 shown, 2 no such space or a malformed one`,
    )
    .action((nameOrPath: string, options: { json?: true }) => {
      const summary = summariseSpace(readSpace(nameOrPath));
      const text = options.json ? formatJson(summary).trimEnd() : renderSummary(summary);
      process.stdout.write(`${text}\n`);
    });
}

interface DesignOptions {
  seed: number;
  count: number;
  name?: string;
  description?: string;
  weightSeed: number;
  vocabulary: number;
  headDim: number[];
  headCount: number[];
  gqaRatio: number[];
  mlpRatio: number[];
  layerCount: number[];
  minParameters: number;
  maxParameters: number;
  out?: string;
}

function registerDesign(space: Command): void {
  const { axes, parameterCount } = standardDesign;
  space
    .command('design')
    .description('Design a space from a seed; the same options give the same file everywhere.')
    .requiredOption('--seed <n>', 'seed of the design', parseNumber)
    .option('--count <n>', 'architectures', parseNumber, standardDesign.architectureCount)
    .option('--name <name>', 'name of the space (default: llama-COUNT)')
    .option('--description <text>', 'what the space is for')
    .option('--weight-seed <n>', 'seed of the weights', parseNumber, 1)
    .option('--vocabulary <n>', 'vocabulary size', parseNumber, standardDesign.vocabularySize)
    .option('--head-dim <levels>', 'levels, such as 64,128', parseNumbers, axes.headDim)
    .option('--head-count <levels>', 'levels', parseNumbers, axes.headCount)
    .option('--gqa-ratio <levels>', 'query heads for one KV head', parseNumbers, axes.gqaRatio)
    .option('--mlp-ratio <levels>', 'feed-forward over embedding', parseNumbers, axes.mlpRatio)
    .option('--layer-count <levels>', 'levels', parseNumbers, axes.layerCount)
    .option('--min-parameters <n>', 'smallest model', parseNumber, parameterCount.minimum)
    .option('--max-parameters <n>', 'largest model', parseNumber, parameterCount.maximum)
    .option('--out <file>', 'write here instead of to standard output; never over a file')
    .addHelpText(
      'after',
      `
Example (this is how spaces/llama-25.json was made):
  $ rooflaw space design --seed 1 --count 25 --out llama-25.json

The feed-forward length is the MLP ratio times the embedding length, rounded to the nearest
multiple of 32.

Exit status: 0 designed, 2 malformed options, or the axes cannot fill the design, or the file
exists; 4 the file cannot be written`,
    )
    .action((options: DesignOptions) => {
      const text = formatSpace(designSpace(readDesignRequest(options)));
      if (options.out === undefined) process.stdout.write(text);
      else writeNewFile(options.out, text);
    });
}

function registerCheck(space: Command): void {
  space
    .command('check')
    .description('Check a space and report every fault at once.')
    .argument('<space>', `a file, or one of: ${listSpaces().join(', ')}`)
    .option('--memory <size>', 'what the device has, such as 24GiB', parseByteSize)
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw space check my-space.json --memory 24GiB

With --memory, a condition whose weights, F16 KV cache and working buffers need more is a fault.

Exit status: 0 no fault, 2 no such space or at least one fault`,
    )
    .action((nameOrPath: string, options: { memory?: number }) => {
      const space = readSpace(nameOrPath);
      const faults = findDesignFaults(space);
      if (options.memory !== undefined) faults.push(...findMemoryFaults(space, options.memory));
      throwFaults(nameOrPath, faults);
      process.stdout.write(
        `${toPrintable(nameOrPath)}: no fault; ${describeCounts(summariseSpace(space))}\n`,
      );
    });
}

function readDesignRequest(options: DesignOptions): DesignRequest {
  const request = {
    seed: options.seed,
    architectureCount: options.count,
    axes: {
      headDim: options.headDim,
      headCount: options.headCount,
      gqaRatio: options.gqaRatio,
      mlpRatio: options.mlpRatio,
      layerCount: options.layerCount,
    },
    parameterCount: { minimum: options.minParameters, maximum: options.maxParameters },
    vocabularySize: options.vocabulary,
    name: options.name ?? `llama-${options.count}`,
    description: options.description ?? describeDesign(options.count),
    weightSeed: options.weightSeed,
  };
  return parseValue(designRequestSchema, request, 'options of space design');
}

function renderSummary(summary: SpaceSummary): string {
  const { architectures, sequenceLengths } = summary;
  const shape = [
    ['architecture', 'head dim', 'heads', 'KV heads', 'feed-forward', 'layers', 'vocabulary'],
    ...architectures.map((one) => [
      one.name,
      ...[one.headDim, one.headCount, one.kvHeadCount, one.feedForwardLength].map(String),
      ...[one.layerCount, one.vocabularySize].map(String),
    ]),
  ];
  const quantizations = quantizationSchema.options;
  const size = [
    [
      'architecture',
      'parameters',
      ...quantizations.map((quantization) => `${quantization} bytes`),
      ...sequenceLengths.map((tokens) => `KV S${tokens}`),
    ],
    ...architectures.map((one) => [
      one.name,
      formatCount(one.parameterCount),
      ...quantizations.map((quantization) => formatCount(one.weightBytes[quantization])),
      ...sequenceLengths.map((tokens) => formatCount(one.kvBytes[tokens]!)),
    ]),
  ];
  return [
    `${summary.name}: ${describeCounts(summary)}`,
    toPrintable(summary.description),
    '',
    ...alignColumns(shape),
    '',
    'Weights, and an F16 KV cache that holds S tokens, in bytes:',
    ...alignColumns(size),
  ].join('\n');
}

function describeCounts({ architectures, ...summary }: SpaceSummary): string {
  return [
    `${architectures.length} architectures`,
    `${summary.modelCount} models (${formatBytes(summary.weightBytes)} of weights)`,
    `${summary.conditionCount} conditions`,
    `${summary.itemCount} items`,
  ].join(', ');
}

function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The first column to the left, the others to the right. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  '),
  );
}

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new InvalidArgumentError('It must be a number.');
  }
  return value;
}

function parseNumbers(text: string): number[] {
  return text.split(',').map(parseNumber);
}

const bytesOfUnit: Record<string, number> = {
  MB: 1e6,
  GB: 1e9,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

function parseByteSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(MB|GB|MiB|GiB)$/.exec(text);
  if (match === null) throw new InvalidArgumentError('It must be a size such as 24GiB or 800MB.');
  return Math.floor(Number(match[1]) * bytesOfUnit[match[2]!]!);
}
