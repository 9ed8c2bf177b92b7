import { type Fault, RooflawError, throwFaults } from '../errors.ts';
import { type Phase, phaseSchema } from '../formats/architecture.ts';
import { type Experiment, experimentSchema } from '../formats/experiment.ts';
import { decodeJson, faultsOf } from '../formats/parse.ts';
import { findExperimentFaults } from '../protocol/experiment-faults.ts';
import { mostDocumentBytes, readText } from '../read-text.io.ts';

/** As commander gives them. */
export interface DiagnoseOptions {
  space: string;
  model?: string[];
  phase: string;
  length?: number;
  steps: number;
  threads?: number;
  blocks?: number;
  effect?: number;
  cpus?: [number, number];
  arms?: string[];
  allItems: boolean;
  trained?: string;
  with?: string;
  name?: string;
  device?: string;
  backend?: string;
  seed?: number;
  plan: boolean;
  allowCommands: boolean;
  json: boolean;
}

/** `decode`, `prefill` or `both`. @throws RooflawError `invalid-input` */
export function readPhases({
  phase,
  allItems,
}: Pick<DiagnoseOptions, 'phase' | 'allItems'>): Phase[] {
  if (phase === 'both' || allItems) return [...phaseSchema.options];
  const parsed = phaseSchema.safeParse(phase);
  if (parsed.success) return [parsed.data];
  throw new RooflawError('invalid-input', `--phase: there is no phase "${phase}"`, {
    hint: 'decode, prefill or both',
  });
}

/** Reads an experiment of the user's own. @throws RooflawError `invalid-input` with every fault */
export function readExperiment(path: string): Experiment {
  const subject = `experiment ${path}`;
  const value = decodeJson(readText(path, mostDocumentBytes), subject);
  throwFaults(subject, faultsOf(experimentSchema, value));
  const experiment = experimentSchema.parse(value);
  throwFaults(subject, findExperimentFaults(experiment));
  return experiment;
}

/**
 * What the command line changes about an experiment, declared like the rest of it.
 * @throws RooflawError `invalid-input` with every fault
 */
export function changeExperiment(
  experiment: Experiment,
  { blocks, effect, arms }: Pick<DiagnoseOptions, 'blocks' | 'effect' | 'arms'>,
): Experiment {
  const faults: Fault[] = [];
  const known = experiment.arms.map(({ name }) => name);
  for (const name of arms ?? []) {
    if (known.includes(name)) continue;
    const what = `the experiment has no arm "${name}"`;
    faults.push({ where: '--arms', what, hint: `arms: ${known.join(', ')}` });
  }
  throwFaults('the options', faults);
  const isKept = (name: string) => arms?.includes(name) ?? true;
  const changed: Experiment = {
    ...experiment,
    ...(blocks === undefined ? {} : { blocks }),
    ...(effect === undefined ? {} : { effectThatMatters: effect }),
    arms: experiment.arms.filter(({ name }) => isKept(name)),
    comparisons: experiment.comparisons.filter(({ a, b }) => isKept(a.arm) && isKept(b.arm)),
    natural: experiment.natural.filter(isKept),
  };
  throwFaults('the experiment with these options', findExperimentFaults(changed));
  return changed;
}

/** Whether a word names a file of an experiment rather than a built-in one or a campaign. */
export const isExperimentFile = (word: string): boolean => word.endsWith('.json');
