import { randomInt } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { throwFaults } from '../errors.ts';
import { nameSchema, type Phase } from '../formats/architecture.ts';
import { parseValue } from '../formats/parse.ts';
import {
  type Declaration,
  declarationSchema,
  type GeneratedModel,
  type Plan,
} from '../formats/plan.ts';
import type { Space } from '../formats/space.ts';
import { ensureModel } from '../gguf/ensure-model.io.ts';
import { generatorVersion } from '../gguf/generator-version.ts';
import { hashModel } from '../gguf/write-model.io.ts';
import { sha256Hex } from '../hash.ts';
import { formatJson } from '../printable.ts';
import { nameAllItems } from '../protocol/comparison-family.ts';
import { listComparisons } from '../protocol/comparisons.ts';
import {
  createPlan,
  listWantedModels,
  type WantedModel,
  weightsKey,
} from '../protocol/create-plan.ts';
import { findPlanFaults } from '../protocol/plan-faults.ts';
import { listItems } from '../protocol/schedule.ts';
import { readProtocol } from '../protocol/shipped.io.ts';
import { readSpace } from '../space/shipped.io.ts';
import { formatBytes, formatCount } from '../units.ts';
import { cacheFolder } from './cache-folder.ts';
import { createProgress, drawBar, type Progress } from './progress.ts';
import { listenForStop } from './stop-signal.ts';
import { refuseExisting, writeNewFile } from './write-file.ts';

export interface PlanOptions {
  space: string;
  protocol: string;
  name: string;
  question?: string;
  family?: string;
  targetDifference: number;
  tailsAreAGoal: boolean;
  seed?: number;
  /** Comparisons as people write them: `quantization=F16 vs quantization=Q8_0`. */
  compare?: readonly string[];
  /** false: only the hashes of the models are worked out, nothing is put in the cache. */
  models: boolean;
}

/** Makes a plan: reads space and protocol, generates (or only hashes) the models it needs. */
export async function makePlan(options: PlanOptions, progress: Progress): Promise<Plan> {
  using stop = listenForStop('stopping; the plan is not written', progress);
  const space = readSpace(options.space);
  const protocol = readProtocol(options.protocol);
  const declaration = declare(space, protocol.phases, options);
  // before the models cost minutes
  const words = z.object({ name: nameSchema, declaration: declarationSchema });
  parseValue(words, { name: options.name, declaration }, 'options of plan');
  const wanted = listWantedModels(space, protocol);
  const scheduleSeed = options.seed ?? randomInt(2 ** 32);
  const { name, compare = [] } = options;
  const putTogether = (models: readonly GeneratedModel[]): Plan => {
    const plan = createPlan({ name, space, protocol, declaration, scheduleSeed, models, compare });
    throwFaults('the new plan', findPlanFaults(plan));
    return plan;
  };
  putTogether(wanted.map(standInFor));
  const models: GeneratedModel[] = [];
  for (const [index, model] of wanted.entries()) {
    const title = `model ${index + 1} of ${wanted.length}: ${model.architecture.name} ${model.quantization}`;
    const onProgress = (done: number, total: number) =>
      progress.show(`${title} ${drawBar(done / total)} of ${formatBytes(total)}`);
    const generation = { onProgress, signal: stop.signal };
    const { sha256, bytes } = options.models
      ? await ensureModel({ ...model, cacheDirectory: cacheFolder(), ...generation })
      : await hashModel({ ...model, ...generation });
    models.push({ ...model, generatorVersion, fileBytes: bytes, sha256 });
  }
  progress.done();
  return putTogether(models);
}

/** A model whose file is not there yet, so that the plan's faults are known before it is made. */
function standInFor(wanted: WantedModel): GeneratedModel {
  return { ...wanted, generatorVersion, fileBytes: 1, sha256: sha256Hex(weightsKey(wanted)) };
}

function declare(space: Space, phases: readonly Phase[], options: PlanOptions): Declaration {
  const [phase] = phases;
  const cost = phases.length === 1 ? `does ${phase} cost` : 'do prefill and decode cost';
  return {
    question:
      options.question ??
      `What ${cost} under the ${formatCount(space.conditions.length, 'condition')} of space ${space.name}?`,
    targetDifference: options.targetDifference,
    comparisonFamily: options.family ?? nameAllItems(phases),
    // the distances of two such items add up to at most the target
    closureRule: { rule: 'largest-endpoint-distance', maxShareOfTarget: 0.5 },
    tailsAreAGoal: options.tailsAreAGoal,
  };
}

function parseFraction(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1)) {
    throw new InvalidArgumentError('a fraction between 0 and 1, for example 0.1 for 10 %');
  }
  return value;
}

function parseSeed(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value >= 2 ** 32) {
    throw new InvalidArgumentError('a whole number from 0 to 4294967295');
  }
  return value;
}

export function registerPlan(program: Command): void {
  program
    .command('plan')
    .description('Write down what will be measured, how, and why, before anything is measured.')
    .requiredOption('--space <name|file>', 'architectures and conditions')
    .requiredOption('--protocol <name|file>', 'rules of measuring')
    .requiredOption('--out <file>', 'where the plan is written; must not exist')
    .option('--name <name>', 'name of the campaign (default: the space’s name)')
    .option('--question <text>', 'what the campaign is to answer')
    .option('--target-difference <fraction>', 'the difference that matters', parseFraction, 0.1)
    .option('--family <text>', 'the comparisons that will be made')
    .option(
      '--compare <pair>',
      'two items, A vs B, where the protocol decides declared comparisons; may be repeated',
      (text: string, earlier: string[] = []) => [...earlier, text],
    )
    .option('--tails-are-a-goal', 'rare slow trials are part of the question', false)
    .option('--seed <number>', 'seed of the order of measuring (default: drawn)', parseSeed)
    .option('--no-models', 'only work out the hashes of the models, put no file in the cache')
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw plan --space pilot --protocol v1 --out pilot.plan.json
  $ rooflaw plan --space pocket --protocol mine.json --out mine.plan.json \\
      --compare 'architecture=wide,quantization=Q8_0 vs architecture=deep,quantization=Q8_0'

A comparison names two items by architecture=, quantization=, sequenceLength= and phase=; what is
left out may be anything, and without phase= there is a comparison in each phase.

Exit status: 0 written, 2 invalid input or the file exists, 4 no space for the models`,
    )
    .action(async (options: Omit<PlanOptions, 'name'> & { out: string; name?: string }) => {
      const progress = createProgress();
      refuseExisting(options.out); // before the models cost minutes
      const name = options.name ?? readSpace(options.space).name;
      const plan = await makePlan({ ...options, name }, progress);
      writeNewFile(options.out, formatJson(plan));
      const items = listItems(plan).length;
      const trials = items * plan.protocol.processesPerItem;
      const isSequential = plan.protocol.stopping !== undefined;
      const modelBytes = plan.models.reduce((sum, { fileBytes }) => sum + fileBytes, 0);
      progress.say(
        `${options.out}: ${plan.models.length} models, ${items} items, ${isSequential ? 'at most ' : ''}${trials} trials under protocol ${plan.protocol.name}`,
      );
      if (isSequential) {
        const count = formatCount(listComparisons(plan).length, 'comparison');
        progress.say(`it stops after the round in which the last of ${count} is decided`);
      }
      const place = options.models ? `lie in ${cacheFolder()}/models` : 'will be generated by run';
      progress.say(`the models (${formatBytes(modelBytes)}) ${place}`);
      progress.say(`next: rooflaw run ${options.out}`);
    });
}
