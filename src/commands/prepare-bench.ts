import { freemem } from 'node:os';
import { basename, resolve } from 'node:path';
import { prepareBackend } from '../backend/prepare-backend.io.ts';
import { readSystemText } from '../device/system-text.io.ts';
import { type Fault, RooflawError, throwFaults } from '../errors.ts';
import type { Variant } from '../formats/plan.ts';
import type { Execution } from '../formats/protocol.ts';
import type { RunnerDescription } from '../formats/trial.ts';
import type { BenchTest, BenchVariant } from '../llama-bench/options/request.ts';
import {
  type AvailableMemory,
  type BenchModel,
  openBenchModels,
  refuseTooLarge,
} from './bench-models.ts';
import { cacheFolder } from './cache-folder.ts';
import { type BackendDevice, chooseDevice } from './choose-device.ts';
import { makeNames } from './make-names.ts';
import type { Progress } from './progress.ts';
import type { RunOptions } from './run.ts';

/** Files, backends and option sets as a person names them. */
export interface BenchSubjects {
  models: readonly string[];
  /** Folders; none: the embedded one. */
  backends: readonly string[];
  base: Execution;
  variants: readonly BenchVariant[];
  tests: readonly BenchTest[];
  device: string | null;
}

/** What a plan and a run need, known to exist and to fit into memory. */
export interface PreparedBench {
  models: BenchModel[];
  /** null: one backend under `execution`. */
  variants: Variant[] | null;
  /** The only one, or that of the first variant. */
  execution: Execution;
  device: BackendDevice;
  runOptions: Pick<RunOptions, 'device' | 'backends' | 'backend' | 'models'>;
}

/**
 * Looks at everything that is named before anything is measured.
 * @throws RooflawError with what is missing, broken or too large
 */
export async function prepareBench(
  { models: files, backends: folders, base, variants, tests, device: wish }: BenchSubjects,
  progress: Progress,
  signal: AbortSignal,
): Promise<PreparedBench> {
  const backends = labelBackends(folders);
  const [first] = backends.values();
  const models = await openBenchModels(files, progress, signal);
  const { description } = await prepareBackend({
    cacheDirectory: cacheFolder(),
    onProgress: (text) => progress.say(text),
    signal,
    ...(first === null || first === undefined ? {} : { directory: first }),
  });
  const device = chooseDevice(description, wish ?? nameMainDevice(description, variants));
  const executions = variants.map(({ changes }) => ({ ...base, ...changes }));
  throwFaults('options', findThreadFaults(executions, description));
  refuseTooLarge(models, executions, tests, readMemory(device));
  sayLongContexts(models, tests, progress);
  const isOne = executions.length === 1 && backends.size === 1;
  return {
    models,
    variants: isOne ? null : combine(variants, executions, backends),
    execution: executions[0]!,
    device,
    runOptions: {
      device: device.name,
      models: files,
      ...(isOne ? (first === null || first === undefined ? {} : { backend: first }) : { backends }),
    },
  };
}

/** llama.cpp goes on beyond what a model was trained for; times are times all the same. */
function sayLongContexts(
  models: readonly BenchModel[],
  tests: readonly BenchTest[],
  progress: Progress,
): void {
  const longest = Math.max(...tests.map(({ depth, tokens }) => depth + tokens));
  for (const { facts, path } of models) {
    if (facts.contextLength === null || facts.contextLength >= longest) continue;
    progress.say(
      `CAREFUL, ${path}: ${longest} tokens are more than the ${facts.contextLength} the model was made for`,
    );
  }
}

/** More threads than CPUs are hundreds of times slower, which nobody wants to wait for. */
function findThreadFaults(
  executions: readonly Execution[],
  { allowedCpus }: RunnerDescription,
): Fault[] {
  if (allowedCpus === null) return [];
  const tooMany = new Set(
    executions.map(({ threads }) => threads).filter((threads) => threads > allowedCpus.length),
  );
  return [...tooMany].map((threads) => ({
    where: `-t ${threads}`,
    what: `more threads than the ${allowedCpus.length} CPUs that may be used here`,
    hint: `-t ${allowedCpus.length}`,
  }));
}

/** By the names of their folders; `embedded` for the one that Rooflaw comes with. */
export function labelBackends(folders: readonly string[]): Map<string, string | null> {
  if (folders.length === 0) return new Map([['embedded', null]]);
  const names = makeNames(folders.map((folder) => basename(resolve(folder))));
  return new Map(
    folders.map((folder, index) => [names[index]!, folder === 'embedded' ? null : folder]),
  );
}

function combine(
  variants: readonly BenchVariant[],
  executions: readonly Execution[],
  backends: ReadonlyMap<string, string | null>,
): Variant[] {
  const combined = [...backends.keys()].flatMap((backend) =>
    variants.map(({ label }, index) => {
      const words = [
        ...(backends.size === 1 ? [] : [backend]),
        ...(variants.length === 1 ? [] : [label]),
      ];
      return { words: words.join('-'), backend, execution: executions[index]! };
    }),
  );
  const names = makeNames(combined.map(({ words }) => words));
  return combined.map(({ backend, execution }, index) => ({
    name: names[index]!,
    backend,
    execution,
  }));
}

/** The GPU that -mg counts to. @throws RooflawError when variants name several, or there is none */
function nameMainDevice(
  { devices }: RunnerDescription,
  variants: readonly BenchVariant[],
): string | undefined {
  const numbers = [...new Set(variants.map(({ mainDevice }) => mainDevice))];
  const [number] = numbers;
  if (numbers.length > 1) {
    throw new RooflawError('invalid-input', '-mg names several devices', {
      hint: 'one campaign measures one device; compare two with `rooflaw compare --across device`',
    });
  }
  if (number === null || number === undefined) return undefined;
  const gpus = devices.filter(({ type }) => type === 'gpu' || type === 'igpu');
  const gpu = gpus[number];
  if (gpu !== undefined) return gpu.name;
  throw new RooflawError('device-unusable', `-mg ${number}: this backend has ${gpus.length} GPUs`, {
    hint: `it has: ${devices.map(({ name }) => name).join(', ')}`,
  });
}

/** Of a GPU its memory, of the machine what is not in use. */
function readMemory({ type, memoryBytes }: BackendDevice): AvailableMemory {
  const available = /^MemAvailable:\s+(\d+) kB$/m.exec(readSystemText('/proc/meminfo') ?? '');
  const host = available === null ? freemem() : Number(available[1]) * 1024;
  return { host, device: type !== 'cpu' && memoryBytes > 0 ? memoryBytes : null };
}
