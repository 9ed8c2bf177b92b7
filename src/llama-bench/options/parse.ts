import { type Fault, throwFaults } from '../../errors.ts';
import { createBaseExecution } from './base-execution.ts';
import { describeLoweredBatches } from './lowered-batches.ts';
import { readModelFiles } from './model-files.ts';
import { readOwnOptions, readRepetitions } from './own-options.ts';
import { benchReader, type OptionReader, readArguments } from './read-arguments.ts';
import { type BenchOutput, type BenchRequest, benchOutputs } from './request.ts';
import { listTests } from './tests.ts';
import { quote } from './value-lists.ts';
import { combineVariants } from './variants.ts';

export { type ListedBenchOption, listBenchOptions } from './option-table.ts';
export type { OptionReader } from './read-arguments.ts';
export type { BenchOutput, BenchRequest, BenchTest, BenchVariant, OwnOptions } from './request.ts';

/** What the machine says where the command line does not. */
export interface BenchDefaults {
  /** What -t is when it is not given. */
  threads: number;
  /** Whether there is a file of this name; without it every comma in -m divides two files. */
  fileExists?: (path: string) => boolean;
}

/**
 * Reads the command line of llama-bench (llama.cpp v0.4.0) and our own options. Lists, ranges and
 * repeated options are taken as llama-bench takes them, and so is the order of what they make.
 *
 * | option | member of `Execution` | llama-bench's default | ours |
 * |---|---|---|---|
 * | -t | threads, threadsBatch | fit cores of the machine | `threads` |
 * | --poll | threadPoolPoll | 50 | 50 |
 * | --prio | threadPoolPriority (llama-bench raises the process too) | 0 | normal |
 * | --cpu-strict | threadPoolStrictCpu; needs -C | 0 | false |
 * | --numa | numa | disabled | disabled |
 * | -C | affinity (here of the whole process) | 0x0 | default |
 * | -b, -ub | batch, ubatch; a larger -ub is lowered to -b, as llama.cpp does | 2048, 512 | the same |
 * | (none) | contextSize: p + n + d | as needed | as-needed |
 * | -fa | flashAttention; auto is refused | auto | off |
 * | -ctk, -ctv | kvTypeK, kvTypeV; a quantised V needs -fa 1 | f16 | F16 |
 * | -nkvo | kvOffload, inverted | 0 | true |
 * | (none) | kvUnified, swaFull | false, false | the same |
 * | -ngl | gpuLayers; on a CPU without effect | -1 | all |
 * | -sm | splitMode | layer | none |
 * | -mg | `mainDevice` of the variant | 0 | null |
 * | -lm, -mmp, -dio | loadMode; auto is refused | auto | mmap |
 * | -lzm | lazyMode | auto | auto |
 * | (none) | checkTensors, extraBufferTypes | false, true | the same |
 * | --no-host | hostBuffers, inverted | 0 | true |
 * | -nopo | opOffload, inverted | 0 | true |
 * | (none) | internalTimers | false | false |
 * | -v | logSink: always a file | no log | file |
 *
 * Why four defaults differ stands at `createBaseExecution`. `--no-warmup` is `--warmup 0`, `--json`
 * is `-o json`, `-dev none` is the device `CPU`.
 * @param args what stands after `rooflaw bench`
 * @param reader the command that takes these options too, for messages
 * @throws RooflawError `invalid-input` with every fault: unknown options with the nearest name,
 *   unsupported ones with why and what to do instead, and values that cannot be
 */
export function parseBenchOptions(
  args: readonly string[],
  { threads, fileExists }: BenchDefaults,
  reader: OptionReader = benchReader,
): BenchRequest {
  const faults: Fault[] = [];
  const notes: string[] = [];
  const given = readArguments(args, faults, reader).map((option, place) => ({ ...option, place }));
  const givenOf = (name: string) => given.filter(({ option }) => option.names[0] === name);
  const textsOf = (name: string) => givenOf(name).map(({ value }) => value);

  const models = readModelFiles(textsOf('-m'), fileExists ?? null, faults, notes);
  const tests = listTests(textsOf, faults, notes);
  const base = createBaseExecution(threads);
  const variants = combineVariants(givenOf, base, faults, notes);
  notes.push(...describeLoweredBatches(variants, base, tests));
  const ours = readOwnOptions(textsOf, faults);
  const repetitions = readRepetitions(textsOf, ours.kept, faults);
  const output = readOutput(textsOf('-o'), textsOf('--json').length > 0, faults);
  throwFaults(`options of ${reader.verb}`, faults);
  return { models, tests, variants, base, repetitions, output, ours, notes };
}

/** The last -o counts, as in llama-bench. */
function readOutput(texts: readonly string[], isJson: boolean, faults: Fault[]): BenchOutput {
  const last = texts.at(-1);
  const output = benchOutputs.find((known) => known === last);
  if (last !== undefined && output === undefined) {
    const what = `${quote(last)} is none of ${benchOutputs.join(', ')}`;
    faults.push({ where: '-o', what });
  }
  if (isJson && output !== undefined && output !== 'json') {
    faults.push({ where: '--json', what: `contradicts -o ${output}` });
  }
  return output ?? (isJson ? 'json' : 'md');
}
