import { join } from 'node:path';
import { prepareBackend } from '../backend/prepare-backend.io.ts';
import type { PreparedBackend } from '../backend/prepared-backend.ts';
import { createCheckedFiles } from '../campaign/checked-files.io.ts';
import { RooflawError } from '../errors.ts';
import type { Plan } from '../formats/plan.ts';
import { cacheFolder } from './cache-folder.ts';
import type { Progress } from './progress.ts';

/** A llama.cpp and its runner, as a plan's variants name it. */
export interface LabelledBackend {
  label: string;
  prepared: PreparedBackend;
}

/** The backends of a plan's variants in their order, each once; of a plan without, the one. */
export async function prepareBackends(
  plan: Plan,
  { backend, backends }: { backend?: string; backends?: ReadonlyMap<string, string | null> },
  progress: Progress,
  signal: AbortSignal,
): Promise<LabelledBackend[]> {
  const labels = [...new Set(plan.variants?.map((variant) => variant.backend))];
  const folders = new Map(backends ?? [['embedded', null]]);
  const wanted =
    labels.length === 0
      ? [{ label: 'embedded', folder: backend ?? null }]
      : labels.map((label) => ({ label, folder: folders.get(label) }));
  const missing = wanted.filter(({ folder }) => folder === undefined);
  if (missing.length > 0) {
    throw new RooflawError('no-backend', 'folders of the plan’s backends are not given', {
      faults: missing.map(({ label }) => ({ where: label, what: 'no folder' })),
      hint: 'name them: --backend LABEL=FOLDER, once for each',
    });
  }
  const prepared: LabelledBackend[] = [];
  for (const { label, folder } of wanted) {
    const request = {
      cacheDirectory: cacheFolder(),
      onProgress: (text: string) => progress.say(text),
      signal,
      ...(typeof folder === 'string' ? { directory: folder } : {}),
    };
    prepared.push({ label, prepared: await prepareBackend(request) });
  }
  return prepared;
}

/** Runners and libraries, so that none is exchanged while the campaign runs, nor since it was hashed. */
export async function watchPrograms(backends: readonly PreparedBackend[]) {
  const programs = createCheckedFiles();
  for (const { backend, runnerPath, libraryDirectory } of backends) {
    await programs.addAgain(backend.runner.sha256, runnerPath);
    for (const { name, sha256 } of backend.libraries) {
      await programs.addAgain(sha256, join(libraryDirectory, name));
    }
  }
  return programs;
}
