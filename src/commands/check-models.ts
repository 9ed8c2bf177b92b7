import { basename } from 'node:path';
import { type CheckedFiles, createCheckedFiles } from '../campaign/checked-files.io.ts';
import { RooflawError } from '../errors.ts';
import { type FileModel, type GeneratedModel, isGenerated, type Plan } from '../formats/plan.ts';
import { ensureModel } from '../gguf/ensure-model.io.ts';
import { generatorVersion } from '../gguf/generator-version.ts';
import { hashModelFile } from '../gguf/hash-model-file.io.ts';
import { openModelFile } from '../gguf/open-model-file.io.ts';
import { formatBytes } from '../units.ts';
import { cacheFolder } from './cache-folder.ts';
import { drawBar, type Progress } from './progress.ts';

/** The plan's models, each by its hash. */
export interface CheckedModels {
  /** @returns the path to load it from. @throws RooflawError `model-mismatch` when it has changed */
  open(sha256: string): Promise<string>;
}

/**
 * Every model of a plan, hashed: generated ones are made in the cache when they are missing or not
 * what the plan says; files must be among those that are given.
 * @param files paths of GGUF files
 * @throws RooflawError `model-mismatch` when the plan's hash is not that of such a model, `not-found`
 */
export async function checkModels(
  plan: Plan,
  files: readonly string[],
  progress: Progress,
  signal: AbortSignal,
): Promise<CheckedModels> {
  const checked = createCheckedFiles(signal);
  const parts = await checkFiles(plan, files, checked, progress, signal);
  for (const [index, model] of plan.models.filter(isGenerated).entries()) {
    const { architecture, quantization, weightSeed, sha256, fileBytes } = model;
    refuseOtherGenerator(model);
    const title = `checking model ${index + 1} of ${plan.models.length}: ${architecture.name} ${quantization}`;
    progress.show(title);
    const { path, bytes } = await ensureModel({
      architecture,
      quantization,
      weightSeed,
      cacheDirectory: cacheFolder(),
      expectedSha256: sha256,
      onProgress: (done, total) =>
        progress.show(`${title} ${drawBar(done / total)} of ${formatBytes(total)}`),
      signal,
    });
    if (bytes !== fileBytes) throw mismatch(model, `has ${bytes} bytes, not ${fileBytes}`);
    await checked.add(sha256, path);
  }
  progress.done();
  return {
    async open(sha256) {
      const [first, ...others] = parts.get(sha256) ?? [sha256];
      for (const other of others) await checked.open(other);
      return checked.open(first!);
    },
  };
}

/** @returns the hashes of each file's parts, by the model's hash */
async function checkFiles(
  plan: Plan,
  files: readonly string[],
  checked: CheckedFiles,
  progress: Progress,
  signal: AbortSignal,
): Promise<Map<string, string[]>> {
  const partsOf = new Map<string, string[]>();
  const wanted = plan.models.filter((model): model is FileModel => !isGenerated(model));
  if (wanted.length === 0) return partsOf;
  for (const file of files) {
    const { paths } = await openModelFile(file);
    const { sha256, parts } = await hashModelFile(paths, {
      cacheDirectory: cacheFolder(),
      onProgress: (done, total) =>
        progress.show(
          `hashing ${basename(file)} ${drawBar(done / total)} of ${formatBytes(total)}`,
        ),
      signal,
    });
    for (const [at, part] of parts.entries()) await checked.add(part.sha256, paths[at]!);
    partsOf.set(
      sha256,
      parts.map((part) => part.sha256),
    );
  }
  const missing = wanted.filter(({ sha256 }) => !partsOf.has(sha256));
  if (missing.length === 0) return partsOf;
  const namesGiven = files.map((file) => basename(file));
  if (missing.every(({ file }) => namesGiven.includes(file))) {
    const names = missing.map(({ file }) => file).join(', ');
    throw new RooflawError('model-mismatch', `${names}: not the bytes that the plan was made for`, {
      hint: 'put the file back, or begin another campaign (another --name) with what it is now',
    });
  }
  throw new RooflawError('not-found', 'files of the plan’s models are not given', {
    faults: missing.map(({ name, file, sha256 }) => ({
      where: name,
      what: `${file} with the hash ${sha256.slice(0, 12)}… is none of the files that were given`,
    })),
    hint: 'name them: --model FILE, once for each',
  });
}

function refuseOtherGenerator(model: GeneratedModel): void {
  if (model.generatorVersion === generatorVersion) return;
  throw mismatch(
    model,
    `is of generator version ${model.generatorVersion}, this is ${generatorVersion}`,
  );
}

function mismatch({ architecture, quantization }: GeneratedModel, what: string): RooflawError {
  return new RooflawError(
    'model-mismatch',
    `model ${architecture.name} ${quantization} of the plan ${what}`,
    { hint: 'make the plan again, or measure it with the version of rooflaw that made it' },
  );
}
