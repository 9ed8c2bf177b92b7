import { RooflawError } from '../errors.ts';
import type { Arm, Experiment, ExperimentComparison, Metric } from '../formats/experiment.ts';

/** What a built-in experiment must know of the machine before it can be declared. */
export interface ExperimentFacts {
  /** CPUs that the process may use and that are online, ascending; null: the system does not say. */
  cpus: readonly number[] | null;
  /** Two of them, as the user wants them: from, to. */
  wishedCpus: readonly [number, number] | null;
  /** Whether the model computes on the CPU, so that a thread that moves takes the work with it. */
  isCpuDevice: boolean;
  /** null: it can be done here; otherwise why not. */
  whyNot: { fixedAddresses: string | null; whoRuns: string | null; perfStat: string | null };
  /** Values between which a CPU policy can be switched and put back, or why it can't. */
  cpuPolicy:
    | { attribute: 'scaling_governor' | 'energy_performance_preference'; values: readonly string[] }
    | { withheld: string };
  /** Words of a command under which the runner is started, given by the user. */
  observer: readonly string[] | null;
  hasTrainedFile: boolean;
}

/** A part of an experiment that this machine cannot offer, by its name. */
export interface Withheld {
  what: string;
  why: string;
}

/** An experiment as far as it can be done here; null: not at all. */
export interface Declared {
  experiment: Experiment | null;
  withheld: Withheld[];
}

export interface BuiltIn {
  name: string;
  /** One sentence, for lists. */
  summary: string;
  declare(facts: ExperimentFacts): Declared;
}

/** Only what differs between built-in experiments; the rest is the same in all of them. */
export function declareExperiment(
  parts: Pick<Experiment, 'name' | 'question' | 'factors' | 'arms'> & Partial<Experiment>,
): Experiment {
  return {
    format: 'rooflaw-experiment',
    formatVersion: 1,
    order: 'williams',
    blocks: 24,
    repetitions: { warmup: 10, kept: 5 },
    cachePreparation: 'compute',
    comparisons: [],
    effectThatMatters: 0.02,
    correction: 'holm',
    natural: [],
    ...parts,
  };
}

/** At least so many blocks, and whole squares of a Williams design: n orders, 2n where n is odd. */
export function countBlocks(arms: number, atLeast: number): number {
  const square = arms % 2 === 0 || arms === 1 ? arms : 2 * arms;
  return Math.ceil(atLeast / square) * square;
}

/** The same number of two arms. */
export function compareArms(a: string, b: string, metric: Metric = 'time'): ExperimentComparison {
  return { name: `${b}-${metric}`.slice(0, 64), a: { arm: a, metric }, b: { arm: b, metric } };
}

/** From, to. @throws RooflawError `invalid-input` when the user wishes for CPUs that there are not */
export function chooseTwoCpus({
  cpus,
  wishedCpus,
}: Pick<ExperimentFacts, 'cpus' | 'wishedCpus'>): readonly [number, number] | Withheld {
  const what = 'a move between two CPUs';
  if (cpus === null)
    return { what, why: 'this system does not say on which CPUs a thread may run' };
  if (wishedCpus !== null) {
    const missing = wishedCpus.filter((cpu) => !cpus.includes(cpu));
    if (missing.length === 0 && wishedCpus[0] !== wishedCpus[1]) return wishedCpus;
    throw new RooflawError(
      'invalid-input',
      missing.length === 0
        ? `--cpus names CPU ${wishedCpus[0]} twice`
        : `--cpus: CPU ${missing.join(', ')} is offline or not allowed here`,
      { hint: `this process may use CPU ${cpus.join(', ')}` },
    );
  }
  const [first, second] = [cpus.at(-1), cpus.at(-2)];
  if (first === undefined || second === undefined)
    return { what, why: `this process may use one CPU only (${cpus.join()})` };
  return [second, first];
}

/** One thread: with more, those that stay behind hide what a move of the main thread costs. */
export const oneThread = ({ isCpuDevice }: ExperimentFacts): Pick<Arm, 'execution'> =>
  isCpuDevice ? { execution: { threads: 1, threadsBatch: 1 } } : {};

export const isWithheld = (value: object): value is Withheld => 'why' in value;
