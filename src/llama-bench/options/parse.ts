import { type Fault, throwFaults } from '../../errors.ts';
import { createBaseExecution } from './base-execution.ts';
import { readOwnOptions, readRepetitions } from './own-options.ts';
import { readArguments } from './read-arguments.ts';
import { type BenchOutput, type BenchRequest, benchOutputs } from './request.ts';
import { listTests } from './tests.ts';
import { quote } from './value-lists.ts';
import { combineVariants } from './variants.ts';

export { type ListedBenchOption, listBenchOptions } from './option-table.ts';
export type { BenchOutput, BenchRequest, BenchTest, BenchVariant, OwnOptions } from './request.ts';

/**
 * Reads the command line of llama-bench (llama.cpp v0.4.0) and our own options. Lists, ranges and
 * repeated options are taken as llama-bench takes them, and so is the order of what they make.
 *
 * | option | member of `Execution` | llama-bench's default | ours |
 * |---|---|---|---|
 * | -t | threads, threadsBatch | fit cores of the machine | `defaults.threads` |
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
 * @param defaults.threads what -t is when it is not given
 * @throws RooflawError `invalid-input` with every fault: unknown options with the nearest name,
 *   unsupported ones with why and what to do instead, and values that cannot be
 */
export function parseBenchOptions(
  args: readonly string[],
  defaults: { threads: number },
): BenchRequest {
  const faults: Fault[] = [];
  const notes: string[] = [];
  const given = readArguments(args, faults).map((option, place) => ({ ...option, place }));
  const givenOf = (name: string) => given.filter(({ option }) => option.names[0] === name);
  const textsOf = (name: string) => givenOf(name).map(({ value }) => value);

  const models = readModels(textsOf('-m'), faults, notes);
  const tests = listTests(textsOf, faults, notes);
  const base = createBaseExecution(defaults.threads);
  const variants = combineVariants(givenOf, base, faults, notes);
  const ours = readOwnOptions(textsOf, faults);
  const repetitions = readRepetitions(textsOf, ours.kept, faults);
  const output = readOutput(textsOf('-o'), textsOf('--json').length > 0, faults);
  throwFaults('options of bench', faults);
  return { models, tests, variants, base, repetitions, output, ours, notes };
}

function readModels(texts: readonly string[], faults: Fault[], notes: string[]): string[] {
  const named = texts.flatMap((text) => text.split(','));
  if (named.includes('')) {
    const hint =
      'a comma divides two files, as in llama-bench; a name with a comma cannot be given';
    faults.push({ where: '-m', what: 'names an empty file', hint });
  }
  if (named.length === 0) {
    faults.push({ where: '-m', what: 'is missing: no model is named', hint: '-m model.gguf' });
  }
  const models = [...new Set(named)];
  if (models.length < named.length) notes.push('-m names a file twice; it is measured once');
  return models;
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
