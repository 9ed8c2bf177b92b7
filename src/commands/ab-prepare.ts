import { resolve } from 'node:path';
import type { FileModel } from '../formats/plan.ts';
import type { Execution } from '../formats/protocol.ts';
import type { SideRequest, SidesRequest } from './ab-request.ts';
import { describeModel } from './bench-words.ts';
import { labelBackends, prepareBench } from './prepare-bench.ts';
import type { Progress } from './progress.ts';
import type { RunOptions } from './run.ts';

/** A side whose model is known, and whose backend has a label in plans and ledgers. */
export interface PreparedSide {
  label: string;
  model: FileModel;
  backend: string;
  execution: Execution;
}

export interface PreparedSides {
  a: PreparedSide;
  b: PreparedSide;
  runOptions: Pick<RunOptions, 'device' | 'backends' | 'models'>;
}

/**
 * Looks at both sides' files, at the first backend and at the device, before anything is measured.
 * @throws RooflawError with what is missing, broken or too large
 */
export async function prepareSides(
  { a, b, shared }: SidesRequest,
  progress: Progress,
  signal: AbortSignal,
): Promise<PreparedSides> {
  const { labels, folders } = labelSides(a, b);
  const files = [...new Set([a.model, b.model])];
  const prepared = await prepareBench(
    {
      models: files,
      backends: folders,
      base: shared.base,
      variants: [a.variant, b.variant],
      tests: shared.tests,
      device: shared.ours.device,
    },
    progress,
    signal,
  );
  for (const model of prepared.models) progress.say(describeModel(model));
  const sideOf = ({ label, model: path, backend, execution }: SideRequest): PreparedSide => {
    // the same bytes under two names are one model
    const found = prepared.models.find((one) => one.path === path) ?? prepared.models[0]!;
    return { label, model: found.model, backend: labels.get(placeOf(backend))!, execution };
  };
  return {
    a: sideOf(a),
    b: sideOf(b),
    runOptions: {
      device: prepared.device.name,
      models: files,
      backends: labelBackends(folders),
    },
  };
}

/** One label for each folder, whatever way it was written. */
function labelSides(a: SideRequest, b: SideRequest) {
  const byPlace = new Map([a, b].map(({ backend }) => [placeOf(backend), backend ?? 'embedded']));
  const folders = [...byPlace.values()];
  const names = [...labelBackends(folders).keys()];
  return { folders, labels: new Map([...byPlace.keys()].map((place, at) => [place, names[at]!])) };
}

function placeOf(folder: string | null): string {
  return folder === null ? 'embedded' : resolve(folder);
}
