import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RooflawError } from '../errors.ts';
import type { Phase } from '../formats/architecture.ts';
import type { Arm, Experiment } from '../formats/experiment.ts';
import { type GeneratedModel, isGenerated, type Model, nameOfModel } from '../formats/plan.ts';
import { ensureModel } from '../gguf/ensure-model.io.ts';
import { writeEqualWeights } from '../gguf/equal-weights.io.ts';
import { generatorVersion } from '../gguf/generator-version.ts';
import { type ExperimentCell, findOtherShape } from '../protocol/create-experiment-plan.ts';
import { readSpace } from '../space/shipped.io.ts';
import { openBenchModels } from './bench-models.ts';
import { cacheFolder } from './cache-folder.ts';
import type { Progress } from './progress.ts';

/** On what an experiment is done. */
export interface CellRequest {
  space: string;
  /** Every condition of the space, not only the reference architecture of its shape. */
  allItems: boolean;
  /** GGUF files in place of a space's models. */
  files: readonly string[];
  phases: readonly Phase[];
  /** In place of the conditions' own. */
  length: number | null;
  /** A GGUF file with trained weights. */
  trained: string | null;
}

export interface ExperimentCells {
  cells: ExperimentCell[];
  /** Paths of all models that are files. */
  files: string[];
}

/** Of a file, where nothing is said. */
const usualLength = 128;

/** The conditions and models of an experiment; models that are missing are generated. */
export async function prepareCells(
  experiment: Experiment,
  request: CellRequest,
  progress: Progress,
  signal: AbortSignal,
): Promise<ExperimentCells> {
  const { phases, length } = request;
  const subjects =
    request.files.length > 0
      ? await openFiles(request.files, progress, signal)
      : await generateModels(request, progress, signal);
  const files = [...request.files];
  const cells: ExperimentCell[] = [];
  for (const { model, lengths } of subjects) {
    const own = await prepareWeights(experiment.arms, model, request.trained, progress, signal);
    files.push(...own.files);
    const modelOf = ({ name }: Arm) => own.models.get(name) ?? model;
    for (const sequenceLength of new Set(length === null ? lengths : [length])) {
      for (const phase of phases) cells.push({ phase, sequenceLength, modelOf });
    }
  }
  return { cells, files: [...new Set(files)] };
}

interface Subject {
  model: Model;
  lengths: readonly number[];
}

async function openFiles(
  files: readonly string[],
  progress: Progress,
  signal: AbortSignal,
): Promise<Subject[]> {
  const opened = await openBenchModels(files, progress, signal);
  return opened.map(({ model }) => ({ model, lengths: [usualLength] }));
}

/** Formats in which the work differs most; the others are between them. */
const usualFormats = ['Q8_0', 'F16'];

/** Of the space's architectures the one that is there in most formats, or all of them. */
async function generateModels(
  { space: name, allItems }: CellRequest,
  progress: Progress,
  signal: AbortSignal,
): Promise<Subject[]> {
  const space = readSpace(name);
  const chosen = allItems
    ? space.conditions
    : space.conditions.filter(
        ({ architecture, quantization }) =>
          architecture === findUsualArchitecture(space.conditions) &&
          usualFormats.includes(quantization),
      );
  const groups = Map.groupBy(
    chosen,
    ({ architecture, quantization }) => `${architecture} ${quantization}`,
  );
  const subjects: Subject[] = [];
  for (const [title, conditions] of groups) {
    const { architecture: wanted, quantization } = conditions[0]!;
    const architecture = space.architectures.find((one) => one.name === wanted)!;
    const spec = { architecture, quantization, weightSeed: space.weightSeed };
    progress.show(`model ${title}`);
    subjects.push({
      model: await generate(spec, signal),
      lengths: conditions.map(({ sequenceLength }) => sequenceLength),
    });
  }
  progress.done();
  return subjects;
}

/** The first of those with the most formats. */
function findUsualArchitecture(
  conditions: readonly { architecture: string; quantization: string }[],
): string | undefined {
  const formats = Map.groupBy(conditions, ({ architecture }) => architecture);
  const count = (name: string) =>
    new Set(formats.get(name)?.map(({ quantization }) => quantization)).size;
  return [...formats.keys()].reduce((best, name) => (count(name) > count(best) ? name : best));
}

async function generate(
  spec: Pick<GeneratedModel, 'architecture' | 'quantization' | 'weightSeed'>,
  signal: AbortSignal,
): Promise<GeneratedModel> {
  const { sha256, bytes } = await ensureModel({ ...spec, cacheDirectory: cacheFolder(), signal });
  return { ...spec, generatorVersion, fileBytes: bytes, sha256 };
}

/** The models of those arms that have weights of their own. @throws RooflawError `invalid-input` */
async function prepareWeights(
  arms: readonly Arm[],
  model: Model,
  trained: string | null,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ models: Map<string, Model>; files: string[] }> {
  const models = new Map<string, Model>();
  const files: string[] = [];
  const openFile = async (path: string) => {
    files.push(path);
    return (await openBenchModels([path], progress, signal))[0]!.model;
  };
  for (const { name, weights } of arms) {
    if (weights === undefined) continue;
    if (weights === 'trained') {
      if (trained === null)
        throw refuse(`arm ${name} needs trained weights`, '--trained FILE.gguf');
      models.set(name, await openFile(trained));
    } else if (!isGenerated(model)) {
      throw refuse(
        `arm ${name} needs a model that is generated, and ${nameOfModel(model)} is a file`,
        'name a space whose shape it has: --space FILE.json',
      );
    } else if (weights === 'equal') {
      const folder = join(cacheFolder(), 'models');
      await mkdir(folder, { recursive: true });
      models.set(name, await openFile(await writeEqualWeights(model, folder)));
    } else {
      models.set(name, await generate({ ...model, weightSeed: weights.seed }, signal));
    }
    const other = findOtherShape(model, models.get(name)!);
    if (other !== null) {
      throw refuse(
        `the weights of arm ${name} are of another shape than ${nameOfModel(model)}: ${other}`,
        'only models of one shape differ in nothing but the content of their weights',
      );
    }
  }
  return { models, files };
}

const refuse = (message: string, hint: string) =>
  new RooflawError('invalid-input', message, { hint });
