import type { Command } from 'commander';
import { isNotFound, RooflawError, throwFaults } from '../errors.ts';
import type { Plan } from '../formats/plan.ts';
import { parsePlan } from '../protocol/parse-plan.ts';
import { mostDocumentBytes, readText } from '../read-text.io.ts';
import { concludeRun } from './conclude-run.ts';
import { createProgress } from './progress.ts';
import { type RunOptions, runPlan } from './run-plan.ts';

export { concludeRun } from './conclude-run.ts';
export { type RunOptions, type RunResult, runPlan } from './run-plan.ts';

/** Reads a plan file. @throws RooflawError `not-found` or `invalid-input` with all faults. */
export function readPlan(path: string): Plan {
  let text: string;
  try {
    text = readText(path, mostDocumentBytes);
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    throw new RooflawError('not-found', `cannot read the plan: ${cause.message}`, {
      hint: '`rooflaw plan --space … --protocol … --out FILE` makes a plan',
      cause,
    });
  }
  return parsePlan(text, `plan ${path}`);
}

export function registerRun(program: Command): void {
  program
    .command('run')
    .description(
      'Measure a plan into campaigns/NAME; run it again to resume after a stop or crash.',
    )
    .argument('<plan>', 'file made by `rooflaw plan`')
    .option('--name <name>', 'name of the campaign (default: the plan’s name)')
    .option('--device <name>', 'device to measure (default: the only GPU, or the CPU)')
    .option(
      '--backend <folder>',
      'folder with the libraries of a llama.cpp you have built; LABEL=FOLDER for a plan with variants, once for each',
      collect,
    )
    .option('--model <file>', 'a GGUF file that the plan measures; may be repeated', collect)
    .option(
      '--allow-commands',
      'lets the arms of an experiment start programs and switch CPU policies',
      false,
    )
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw run pilot.plan.json

Exit status: 0 complete, 2 invalid plan, 3 complete but some trials failed, 4 the machine lacks
something, 5 a model or ledger is not what its hash says, 6 device in use, 130 stopped`,
    )
    .action(async (path: string, options: RunFlags) => {
      const progress = createProgress();
      const plan = readPlan(path);
      const result = await runPlan(plan, readFlags(plan, options), progress);
      concludeRun(result, progress);
      const verb = plan.experiment === undefined ? 'analyze' : 'diagnose';
      const { name, folder } = result.folder;
      if (!result.stopped)
        progress.say(`next: rooflaw ${verb} ${verb === 'diagnose' ? folder : name}`);
    });
}

interface RunFlags extends Pick<RunOptions, 'name' | 'device'> {
  backend?: string[];
  model?: string[];
  allowCommands: boolean;
}

const collect = (text: string, earlier: string[] = []) => [...earlier, text];

/** @throws RooflawError `invalid-input` with what is wrong about --backend */
function readFlags(
  plan: Plan,
  { backend = [], model = [], allowCommands: allowsCommands, ...others }: RunFlags,
): RunOptions {
  const options = { ...others, allowsCommands };
  if (plan.variants === undefined) {
    if (backend.length > 1) {
      throw new RooflawError('invalid-input', 'the plan has one backend, --backend names several', {
        hint: 'give one folder',
      });
    }
    return {
      ...options,
      models: model,
      ...(backend[0] === undefined ? {} : { backend: backend[0] }),
    };
  }
  const labels = new Set(plan.variants.map((variant) => variant.backend));
  const folders = new Map<string, string | null>([['embedded', null]]);
  const given = new Set<string>();
  const faults = backend.flatMap((text) => {
    const [, label, folder] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (label === undefined || folder === undefined || !labels.has(label)) {
      const what = 'is not LABEL=FOLDER of a backend of the plan';
      return [{ where: `--backend ${text}`, what, hint: `labels: ${[...labels].join(', ')}` }];
    }
    if (given.has(label)) return [{ where: `--backend ${text}`, what: `${label} stands twice` }];
    given.add(label);
    folders.set(label, folder);
    return [];
  });
  throwFaults('the options', faults);
  return { ...options, models: model, backends: folders };
}
