import { basename } from 'node:path';
import { type Fault, RooflawError, throwFaults } from '../errors.ts';
import type { FileModel } from '../formats/plan.ts';
import type { Execution } from '../formats/protocol.ts';
import { hashModelFile } from '../gguf/hash-model-file.io.ts';
import { divideMemory, estimateMemory, findMemoryFaults } from '../gguf/memory-need.ts';
import type { ModelFileFacts } from '../gguf/model-file.ts';
import { openModelFile } from '../gguf/open-model-file.io.ts';
import type { BenchTest } from '../llama-bench/options/request.ts';
import { formatBytes } from '../units.ts';
import { cacheFolder } from './cache-folder.ts';
import { makeNames } from './make-names.ts';
import { drawBar, type Progress } from './progress.ts';

/** A GGUF file as a plan names it, with what its header says. */
export interface BenchModel {
  model: FileModel;
  facts: ModelFileFacts;
  /** As it was given. */
  path: string;
}

/**
 * Opens and hashes the files; the same bytes under two names are one model.
 * @throws RooflawError `not-found`, `invalid-input` when one is no GGUF or is cut short
 */
export async function openBenchModels(
  files: readonly string[],
  progress: Progress,
  signal: AbortSignal,
): Promise<BenchModel[]> {
  const opened = [];
  for (const { path, paths, facts } of await openHeaders(files, progress)) {
    const hash = await hashModelFile(paths, {
      cacheDirectory: cacheFolder(),
      onProgress: (done, total) =>
        progress.show(`hashing ${facts.file} ${drawBar(done / total)} of ${formatBytes(total)}`),
      signal,
    });
    opened.push({ path, facts, ...hash });
  }
  progress.done();
  const distinct = [...Map.groupBy(opened, ({ sha256 }) => sha256).values()].map(
    ([first, ...same]) => {
      for (const { path } of same)
        progress.say(`${path} has the bytes of ${first!.path} and is measured once`);
      return first!;
    },
  );
  const names = makeNames(distinct.map(({ facts }) => nameOfFile(facts.file)));
  return distinct.map(({ path, facts, sha256, parts }, index) => {
    const { file, family, title, quantization, layerCount } = facts;
    const { parameterCount, weightBytes, fileBytes } = facts;
    const sizes = { layerCount, parameterCount, weightBytes, fileBytes };
    const name = names[index]!;
    return {
      path,
      facts,
      model: { name, file, family, title, quantization, ...sizes, sha256, parts },
    };
  });
}

/** Every header, before anything takes long. @throws RooflawError with the faults of all files */
async function openHeaders(files: readonly string[], progress: Progress) {
  const opened = [];
  const errors: { path: string; error: RooflawError }[] = [];
  for (const path of files) {
    const onNotChecked = (sentence: string) => progress.say(`CAREFUL, ${path}: ${sentence}`);
    try {
      const { paths, ...facts } = await openModelFile(path, { onNotChecked });
      opened.push({ path, paths, facts });
    } catch (error) {
      if (!(error instanceof RooflawError)) throw error;
      errors.push({ path, error });
    }
  }
  const [first, ...others] = errors;
  if (first === undefined) return opened;
  if (others.length === 0) throw first.error;
  const faults = errors.flatMap(({ path, error: { message, hint, faults } }): Fault[] => {
    if (faults.length > 0)
      return faults.map((fault) => ({ ...fault, where: `${path}, ${fault.where}` }));
    const what = message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
    return [{ where: path, what, ...(hint === undefined ? {} : { hint }) }];
  });
  const words = `${errors.length} of ${files.length} files cannot be measured`;
  throw new RooflawError(first.error.code, words, { faults });
}

/** `qwen-7b-Q4_K_M` of `qwen-7b-Q4_K_M-00001-of-00002.gguf`. */
function nameOfFile(file: string): string {
  return basename(file)
    .replace(/\.gguf$/i, '')
    .replace(/-\d{5}-of-\d{5}$/, '');
}

/** Bytes that models can have. */
export interface AvailableMemory {
  host: number;
  /** Of a device with a memory of its own; null: it has the host's, or does not tell. */
  device: number | null;
}

/**
 * @throws RooflawError `invalid-input` naming each model that surely does not fit into the device's memory
 * or the host's, or has no positions for so many tokens
 */
export function refuseTooLarge(
  models: readonly BenchModel[],
  executions: readonly Execution[],
  tests: readonly BenchTest[],
  { host, device }: AvailableMemory,
): void {
  const contextSize = Math.max(...tests.map(({ depth, tokens }) => depth + tokens));
  const faults = models.flatMap(({ facts, path }) =>
    executions.flatMap((execution) => {
      const conditions = { ...execution, contextSize };
      if (device === null) return findMemoryFaults(path, estimateMemory(facts, conditions), host);
      const need = divideMemory(facts, conditions);
      return [
        ...findMemoryFaults(path, need.device, device, 'on the device'),
        ...findMemoryFaults(path, need.host, host, 'free on the host'),
      ];
    }),
  );
  for (const { facts, path } of models) {
    const { positionCount } = facts;
    if (positionCount === null || positionCount >= contextSize) continue;
    const what = `has learned positions for ${positionCount} tokens, where ${contextSize} are asked for`;
    faults.push({ where: path, what, hint: 'a smaller depth and fewer tokens: -d, -p, -n' });
  }
  const distinct = new Map(faults.map((fault) => [`${fault.where}: ${fault.what}`, fault]));
  throwFaults('the models', [...distinct.values()]);
}
