import { type CheckedFiles, createCheckedFiles } from '../campaign/checked-files.io.ts';
import { RooflawError } from '../errors.ts';
import type { Model, Plan } from '../formats/plan.ts';
import { ensureModel } from '../gguf/ensure-model.io.ts';
import { generatorVersion } from '../gguf/generator-version.ts';
import { formatBytes } from '../units.ts';
import { cacheFolder } from './cache-folder.ts';
import { drawBar, type Progress } from './progress.ts';

/**
 * Every model in the cache, hashed: made when it is missing or not what the plan says.
 * @throws RooflawError `model-mismatch` when the plan's hash is not that of such a model.
 */
export async function checkModels(
  plan: Plan,
  progress: Progress,
  signal: AbortSignal,
): Promise<CheckedFiles> {
  const checked = createCheckedFiles();
  for (const [index, model] of plan.models.entries()) {
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
  return checked;
}

function refuseOtherGenerator(model: Model): void {
  if (model.generatorVersion === generatorVersion) return;
  throw mismatch(
    model,
    `is of generator version ${model.generatorVersion}, this is ${generatorVersion}`,
  );
}

function mismatch({ architecture, quantization }: Model, what: string): RooflawError {
  return new RooflawError(
    'model-mismatch',
    `model ${architecture.name} ${quantization} of the plan ${what}`,
    { hint: 'make the plan again, or measure it with the version of rooflaw that made it' },
  );
}
