import { type CheckedModels, createCheckedModels } from '../campaign/open-models.io.ts';
import type { Plan } from '../formats/plan.ts';
import { ensureModel } from '../gguf/ensure-model.io.ts';
import { formatBytes } from '../units.ts';
import { cacheFolder } from './cache-folder.ts';
import { drawBar, type Progress } from './progress.ts';

/** Every model in the cache, hashed: made when it is missing or not what the plan says. */
export async function checkModels(
  plan: Plan,
  progress: Progress,
  signal: AbortSignal,
): Promise<CheckedModels> {
  const models = createCheckedModels();
  for (const [index, model] of plan.models.entries()) {
    const title = `checking model ${index + 1} of ${plan.models.length}: ${model.architecture.name} ${model.quantization}`;
    const { path } = await ensureModel({
      architecture: model.architecture,
      quantization: model.quantization,
      weightSeed: model.weightSeed,
      cacheDirectory: cacheFolder(),
      expectedSha256: model.sha256,
      onProgress: (done, total) =>
        progress.show(`${title} ${drawBar(done / total)} of ${formatBytes(total)}`),
      signal,
    });
    await models.add(model.sha256, path);
  }
  progress.done();
  return models;
}
