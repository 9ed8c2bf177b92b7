import { type Command, InvalidArgumentError } from 'commander';
import { prepareBackend } from '../backend/prepare-backend.io.ts';
import { locateCampaign } from '../campaign/locate.io.ts';
import { countUsableCores } from '../device/physical-cores.io.ts';
import { RooflawError } from '../errors.ts';
import type { Withheld } from '../experiment/builtin.ts';
import { builtIns } from '../experiment/builtins.ts';
import type { Experiment } from '../formats/experiment.ts';
import type { Plan } from '../formats/plan.ts';
import { createExperimentPlan } from '../protocol/create-experiment-plan.ts';
import { seedOf } from '../protocol/schedule-seed.ts';
import { readProtocol } from '../protocol/shipped.io.ts';
import { cacheFolder } from './cache-folder.ts';
import { chooseDevice } from './choose-device.ts';
import {
  changeExperiment,
  type DiagnoseOptions,
  isExperimentFile,
  readExperiment,
  readPhases,
} from './diagnose-request.ts';
import { describePlan } from './diagnose-words.ts';
import { estimateCost } from './estimate-cost.ts';
import { type ExperimentCells, prepareCells } from './experiment-cells.ts';
import { readExperimentFacts } from './experiment-facts.ts';
import { printExperiment } from './load-experiment.ts';
import { createProgress, type Progress } from './progress.ts';
import { refuseCommands } from './refuse-commands.ts';
import { concludeRun, runPlan } from './run.ts';
import { listenForStop } from './stop-signal.ts';

export function registerDiagnose(program: Command): void {
  program
    .command('diagnose')
    .description('Find out why a run was slow, by a controlled experiment.')
    .argument(
      '[name]',
      'a built-in experiment, a JSON file of your own, or a campaign to show again',
    )
    .option('--plan', 'show arms, order and cost, and measure nothing', false)
    .option('--space <name|file>', 'what is measured', 'pocket')
    .option('-m, --model <file>', 'a GGUF file in place of the space; may be repeated', collect)
    .option('--phase <phase>', 'decode, prefill or both', 'decode')
    .option('--length <tokens>', 'S, in place of the space’s', parseCount(1 << 20))
    .option('--steps <count>', 'steps of a decode', parseCount(1 << 20), 64)
    .option('-t, --threads <count>', 'threads (default: the cores, at most 4)', parseCount(512))
    .option('--blocks <count>', 'how many blocks, in place of the experiment’s', parseCount(10_000))
    .option('--effect <fraction>', 'the difference that matters', parseFraction)
    .option('--cpus <from,to>', 'between which CPUs the main thread moves', parseCpus)
    .option('--arms <names>', 'only these arms, with commas', (text: string) => text.split(','))
    .option('--all-items', 'every condition of the space, in both phases', false)
    .option('--trained <file>', 'a GGUF file with trained weights, for `weights`')
    .option('--with <command>', 'a command that starts the runner given behind it, for `observer`')
    .option(
      '--allow-commands',
      'lets the arms of a file start programs and switch CPU policies',
      false,
    )
    .option('--name <name>', 'name of the campaign (default: the experiment’s)')
    .option('--device <name>', 'device to measure (default: the only GPU, or the CPU)')
    .option('--backend <folder>', 'folder with the libraries of a llama.cpp you have built')
    .option('--seed <number>', 'seed of the order (default: from the name)', parseSeed)
    .option('--json', 'print the result as JSON', false)
    .addHelpText('after', help())
    .action(async (name: string | undefined, options: DiagnoseOptions) => {
      if (name === undefined) process.stdout.write(listBuiltIns());
      else await diagnose(name, options);
    });
}

/** What is known of an experiment before it runs. */
interface Chosen {
  experiment: Experiment;
  withheld: Withheld[];
}

async function diagnose(word: string, options: DiagnoseOptions): Promise<void> {
  const progress = createProgress();
  const builtIn = builtIns.find(({ name }) => name === word);
  if (builtIn === undefined && !isExperimentFile(word)) return showCampaign(word, options.json);
  const phases = readPhases(options);
  const own = builtIn === undefined ? readExperiment(word) : null; // before anything takes long
  using stop = listenForStop('stopping; nothing was measured yet', progress);
  const { description, device } = await prepareDevice(options, progress, stop.signal);
  const isCpuDevice = device.type === 'cpu';
  const facts = await readExperimentFacts(
    {
      wishedCpus: options.cpus ?? null,
      observer: options.with?.trim().split(/\s+/) ?? null,
      hasTrainedFile: options.trained !== undefined,
    },
    description.allowedCpus,
    isCpuDevice,
  );
  const declared = builtIn?.declare(facts) ?? { experiment: own, withheld: [] };
  for (const { what, why } of declared.withheld) progress.say(`withheld here, ${what}: ${why}`);
  if (declared.experiment === null) {
    throw new RooflawError('device-unusable', `${word} cannot be done on this machine`, {
      faults: declared.withheld.map(({ what, why }) => ({ where: what, what: why })),
      hint: 'it is withheld here, not answered: run it where there is what it needs',
    });
  }
  const chosen = { ...declared, experiment: changeExperiment(declared.experiment, options) };
  const name = options.name ?? chosen.experiment.name;
  const cells = await prepareCells(
    chosen.experiment,
    {
      space: options.space,
      allItems: options.allItems,
      files: options.model ?? [],
      phases,
      length: options.length ?? null,
      trained: options.trained ?? null,
    },
    progress,
    stop.signal,
  );
  const plan = makePlan(name, chosen, cells, options, isCpuDevice);
  // those of a built-in experiment are ours, or were typed
  const allowsCommands = builtIn !== undefined || options.allowCommands;
  if (!allowsCommands) refuseCommands(plan);
  if (options.plan) {
    const cost = await estimateCost(plan, cells, options, progress, stop.signal);
    process.stdout.write(
      options.json ? `${JSON.stringify(plan, null, 2)}\n` : describePlan(plan, cost),
    );
    return;
  }
  stop[Symbol.dispose](); // the campaign listens itself
  await measureExperiment(plan, chosen, cells, { ...options, allowsCommands }, progress);
}

async function measureExperiment(
  plan: Plan,
  { withheld }: Chosen,
  { files }: ExperimentCells,
  options: DiagnoseOptions & { allowsCommands: boolean },
  progress: Progress,
): Promise<void> {
  const { name } = plan;
  const { device, backend, json, allowsCommands } = options;
  const result = await runPlan(
    plan,
    {
      name,
      models: files,
      allowsCommands,
      notes: withheld.map(({ what, why }) => `withheld here, ${what}: ${why}`),
      ...(device === undefined ? {} : { device }),
      ...(backend === undefined ? {} : { backends: new Map([['embedded', backend]]) }),
    },
    progress,
  ).catch((error) => {
    throw explainOtherPlan(error, name);
  });
  if (result.state.ended) await printExperiment(result.folder.ledger, json);
  concludeRun(result, progress);
}

/** The same name with other options is another experiment; the earlier one can still be seen. */
function explainOtherPlan(error: unknown, name: string): unknown {
  if (!(error instanceof RooflawError) || error.code !== 'already-exists') return error;
  return new RooflawError(error.code, error.message, {
    faults: error.faults,
    hint: `\`rooflaw diagnose campaigns/${name}\` shows what was measured; --name OTHER measures these options`,
    cause: error,
  });
}

async function showCampaign(word: string, isJson: boolean): Promise<void> {
  const { ledger } = locateCampaign(word);
  await printExperiment(ledger, isJson);
}

async function prepareDevice(
  { backend, device }: DiagnoseOptions,
  progress: Progress,
  signal: AbortSignal,
) {
  const { description } = await prepareBackend({
    cacheDirectory: cacheFolder(),
    onProgress: (text) => progress.say(text),
    signal,
    ...(backend === undefined ? {} : { directory: backend }),
  });
  return { description, device: chooseDevice(description, device) };
}

/** v1's settings with as many threads as there are cores, at most v1's 4. */
function makePlan(
  name: string,
  { experiment }: Chosen,
  { cells }: ExperimentCells,
  { threads: wish, steps, seed }: DiagnoseOptions,
  isCpuDevice: boolean,
): Plan {
  const { execution } = readProtocol('v1');
  const threads =
    wish ?? (isCpuDevice ? Math.min(execution.threads, countUsableCores()) : execution.threads);
  return createExperimentPlan({
    name,
    experiment,
    cells,
    execution: { ...execution, threads, threadsBatch: threads },
    decodeSteps: steps,
    scheduleSeed: seed ?? seedOf(name),
  });
}

const collect = (text: string, earlier: string[] = []) => [...earlier, text];

function parseCount(most: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`a whole number from 1 to ${most}`);
  };
}

function parseFraction(text: string): number {
  const value = Number(text);
  if (value > 0 && value < 1) return value;
  throw new InvalidArgumentError('a fraction between 0 and 1, for example 0.02 for 2 %');
}

function parseSeed(text: string): number {
  if (/^\d+$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  throw new InvalidArgumentError('a whole number from 0 to 4294967295');
}

function parseCpus(text: string): [number, number] {
  const [, from, to] = /^(\d{1,4}),(\d{1,4})$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return [Number(from), Number(to)];
  throw new InvalidArgumentError('two CPU numbers, for example 0,1');
}

function listBuiltIns(): string {
  const width = Math.max(...builtIns.map(({ name }) => name.length));
  const lines = builtIns.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `${lines.join('\n')}\n`;
}

function help(): string {
  return `
Experiments:
${listBuiltIns()}
Examples:
  $ rooflaw diagnose log-output --plan      what it would do and cost
  $ rooflaw diagnose log-output             measure it; again to resume, or to see the result
  $ rooflaw diagnose mine.json              an experiment of your own (docs/diagnosis.md)

Nothing that is measured here is ever pooled with a campaign's data: each experiment is a protocol of
its own. What the machine does not offer is withheld by name.

Exit status: 0 complete, 2 invalid input, 3 complete but some trials failed, 4 the machine lacks
something, 5 a model or ledger is not what its hash says, 6 device in use, 130 stopped`;
}
