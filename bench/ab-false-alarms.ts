/**
 * How often `rooflaw ab` is wrong, and what it saves:
 *
 *   node bench/ab-false-alarms.ts [--simulations 2000] [--runs 20] [--plants 3] [--threads N]
 *                                 [--max-rounds 30] [--margin 0.005] [--cache DIR]
 *                                 [--heads 4] [--work "-p 32 -n 8 --warmup 1 --kept 3"]
 *                                 [--backend DIR --device CUDA0]
 *
 * (a) simulated campaigns of two identical sides through the same decision code, under normal noise, heavy
 *     tails and a drift: in how many anything is called slower or faster (goal: at most 5 %, which the rule
 *     spends almost to the end, so that chance puts half of all benches a little above it: beside the count
 *     stands the most that chance allows);
 * (b) real runs of two identical sides on this machine: the same count;
 * (c) real runs of a model of 20 layers (a) against one of 21 (b), which is 5 % more work in the layers:
 *     what is called, and the time until it is, beside the time of ten processes of each (goal: not more).
 *
 * (b) and (c) are of this machine as it is; a busy one gives other times and, if its noise comes in groups of
 * rounds, more alarms.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, homedir, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { usualMargin } from '../src/analysis/usual-margin.ts';
import { createSidesPlan } from '../src/commands/ab-plan.ts';
import { type Ab, abSchema } from '../src/formats/ab.ts';
import type { Architecture } from '../src/formats/architecture.ts';
import { comparisonSchema, type ItemsComparison } from '../src/formats/comparison.ts';
import type { FileModel, Plan } from '../src/formats/plan.ts';
import { writeModel } from '../src/gguf/write-model.io.ts';
import { createBaseExecution } from '../src/llama-bench/options/base-execution.ts';
import type { BenchTest } from '../src/llama-bench/options/request.ts';
import { keyOfItem } from '../src/protocol/comparisons.ts';
import { nameItem, planRounds } from '../src/protocol/schedule.ts';
import { createSequentialTest, type Decision } from '../src/protocol/stopping.ts';
import { createRandom, type RandomSource } from '../src/random.ts';

/** How the times of identical sides scatter; every draw is a factor near 1. */
export const worlds = {
  /** 1 % in standard deviation. */
  normal: (random: RandomSource) => 1 + 0.01 * drawNormal(random),
  /** The same, and one trial in ten up to 40 % slow. */
  'heavy tails': (random: RandomSource) =>
    (1 + 0.01 * drawNormal(random)) *
    (drawUniform(random) < 0.1 ? 1 + 0.4 * drawUniform(random) : 1),
  /** Normal, and 3 % slower from the first trial of the campaign to the last. */
  drift: (random: RandomSource, place: number) =>
    (1 + 0.03 * place) * (1 + 0.01 * drawNormal(random)),
} as const;
export type WorldName = keyof typeof worlds;

export interface AlarmCounts {
  simulations: number;
  /** Campaigns in which any test was called slower or faster: false alarms. */
  alarms: number;
  /** Tests, of all campaigns together, by what became of them. */
  slower: number;
  faster: number;
  equivalent: number;
  open: number;
  meanRounds: number;
}

/** (a): campaigns of two identical sides, two tests, `ab`'s own rule. */
export function countAlarms(
  world: WorldName,
  simulations: number,
  seed: number,
  { maxRounds = 30, margin = usualMargin }: { maxRounds?: number; margin?: number } = {},
): AlarmCounts {
  const counts = { slower: 0, faster: 0, equivalent: 0, open: 0 };
  let alarms = 0;
  let rounds = 0;
  for (let simulation = 0; simulation < simulations; simulation++) {
    const name = `${world.replace(' ', '-')}-${seed}-${simulation}`;
    const { decision, measured } = simulate(
      planOfSame(name, maxRounds, margin),
      worlds[world],
      name,
    );
    rounds += measured;
    for (const { state } of decision.comparisons) counts[state] += 1;
    const isAlarm = decision.comparisons.some(
      ({ state }) => state === 'slower' || state === 'faster',
    );
    if (isAlarm) alarms += 1;
  }
  return { simulations, alarms, ...counts, meanRounds: rounds / simulations };
}

const tests: BenchTest[] = [
  { phase: 'prefill', tokens: 512, depth: 0 },
  { phase: 'decode', tokens: 128, depth: 0 },
];

/** A plan as `ab` makes it; a file that nobody opens. */
function planOfSame(name: string, maxRounds: number, margin: number): Plan {
  const model: FileModel = {
    name: 'model',
    file: 'model.gguf',
    family: 'llama',
    title: null,
    quantization: 'Q8_0',
    layerCount: 1,
    parameterCount: 1,
    weightBytes: 1,
    fileBytes: 1,
    sha256: 'a'.repeat(64),
    parts: [{ name: 'model.gguf', bytes: 1, sha256: 'a'.repeat(64) }],
  };
  const side = { model, backend: 'embedded', execution: createBaseExecution(1) };
  return createSidesPlan({
    name,
    question: 'Is b slower or faster than a?',
    targetDifference: 0.01,
    protocolName: 'ab',
    description: '',
    sides: [
      { variant: 'a', ...side },
      { variant: 'b', ...side },
    ],
    tests,
    counts: { processes: maxRounds, warmup: 0, kept: 1 },
    cachePreparation: 'compute',
    rule: {
      stopping: {
        method: 'S2',
        alpha: 0.05,
        margin,
        equivalence: 0.01,
        correction: 'bonferroni',
        comparisons: 'declared',
        measured: 'open',
      },
      pairs: [{ a: 0, b: 1 }],
    },
  });
}

const trialNs = 100_000_000;

function simulate(
  plan: Plan,
  draw: (random: RandomSource, place: number) => number,
  seed: string,
): { decision: Decision; measured: number } {
  const random = createRandom(`ab-false-alarms/${seed}`);
  const test = createSequentialTest(plan)!;
  const rounds = planRounds(plan);
  const count = rounds.flat().length;
  let decision: Decision | undefined;
  let measured = 0;
  for (const round of rounds) {
    const sums = round.map((planned): [string, bigint] => {
      const ns = Math.round(trialNs * draw(random, planned.trial / count));
      return [keyOfItem(nameItem(planned)), BigInt(ns)];
    });
    decision = test.next(new Map(sums));
    measured += 1;
    if (decision.stop) break;
  }
  return { decision: decision!, measured };
}

/** In (0, 1). */
function drawUniform(random: RandomSource): number {
  return (random.nextUint32() + 0.5) / 2 ** 32;
}

/** Box & Muller (1958), doi:10.1214/aoms/1177706645; the second one is left. */
function drawNormal(random: RandomSource): number {
  const radius = Math.sqrt(-2 * Math.log(drawUniform(random)));
  return radius * Math.cos(2 * Math.PI * drawUniform(random));
}

/** Alarms that 5 % give or exceed in one bench of a hundred: the normal approximation of their number. */
function mostByChance(simulations: number): number {
  const [mean, variance] = [0.05 * simulations, 0.05 * 0.95 * simulations];
  return Math.floor(mean + 2.326 * Math.sqrt(variance));
}

/**
 * With 4 heads 17 million parameters in 20 layers; the vocabulary is small against the layers, so
 * that 21 of them are 5 % more.
 */
function createPlanted(headCount: number, layerCount: number): Architecture {
  return {
    name: 'planted',
    headDim: 64,
    headCount,
    kvHeadCount: headCount,
    feedForwardLength: 192 * headCount,
    layerCount,
    vocabularySize: 512,
  };
}
/** Counts are given, so that neither side of the comparison of times has a pilot. */
const usualWork = '-p 32 -n 8 --warmup 1 --kept 3';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      simulations: { type: 'string', default: '2000' },
      runs: { type: 'string', default: '20' },
      plants: { type: 'string', default: '3' },
      threads: { type: 'string', default: `${availableParallelism()}` },
      'max-rounds': { type: 'string', default: '30' },
      margin: { type: 'string', default: `${usualMargin}` },
      heads: { type: 'string', default: '4' },
      work: { type: 'string', default: usualWork },
      backend: { type: 'string' },
      device: { type: 'string' },
      cache: { type: 'string', default: join(homedir(), '.cache') },
    },
  });
  console.log(`${cpus()[0]?.model}, ${cpus().length} CPUs, load ${describeLoad()}`);
  for (const world of Object.keys(worlds) as WorldName[]) {
    const found = countAlarms(world, Number(values.simulations), 1, {
      margin: Number(values.margin),
    });
    const { simulations, alarms, slower, faster, equivalent, open, meanRounds } = found;
    console.log(
      `(a) ${world}: ${alarms} of ${simulations} campaigns with a false alarm (5 % are ${0.05 * simulations}; chance allows ${mostByChance(simulations)}); tests: ${slower} slower, ${faster} faster, ${equivalent} equivalent, ${open} open; ${meanRounds.toFixed(1)} rounds`,
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-ab-'));
  const run = (args: readonly string[]) => runProgram(folder, values.cache, args);
  const { backend, device, margin } = values;
  const shared = [
    ...values.work.split(' '),
    ...['-t', values.threads],
    ...(backend === undefined ? [] : ['--backend', resolve(backend)]),
    ...(device === undefined ? [] : ['--device', device]),
  ];
  const rule = ['--margin', margin, '--max-rounds', values['max-rounds'], '--yes', '--json'];
  try {
    const architectures = [20, 21].map((layers) => createPlanted(Number(values.heads), layers));
    const [a, b] = await Promise.all(architectures.map((each) => writePlanted(folder, each)));
    // compiles the runner where it is not there yet, outside of what is timed
    await run(['bench', '-m', a!, ...shared, '--processes', '2', '--yes']);
    let alarms = 0;
    for (let number = 0; number < Number(values.runs); number++) {
      const words = ['ab', '-m', a!, '--a', '', '--b', '', ...shared, ...rule];
      const { output } = await run([...words, '--name', `same-${number}`]);
      const ab = abSchema.parse(JSON.parse(output));
      if (ab.tests.some(({ verdict }) => verdict === 'slower' || verdict === 'faster')) alarms += 1;
      console.log(`(b) ${number + 1}: ${describeAb(ab)}; ${alarms} false alarms so far`);
    }
    const seconds = { ab: 0, fixed: 0 };
    for (let number = 0; number < Number(values.plants); number++) {
      const words = ['ab', '-m', a!, '-m', b!, ...shared, ...rule];
      const decided = await run([...words, '--name', `planted-${number}`]);
      const fixed = await run([
        ...['bench', '-m', a!, '-m', b!, ...shared, '--processes', '10', '--yes'],
        ...['--name', `fixed-${number}`],
      ]);
      const compared = await run([
        ...['compare', `fixed-${number}`, 'architecture=planted-20', 'architecture=planted-21'],
        ...['--margin', margin, '--equivalence', '0.01', '--json'],
      ]);
      seconds.ab += decided.seconds;
      seconds.fixed += fixed.seconds;
      const ab = abSchema.parse(JSON.parse(decided.output));
      console.log(
        `(c) ${number + 1}: ${describeAb(ab)}; ${decided.seconds.toFixed(1)} s, ten of each ${fixed.seconds.toFixed(1)} s (${describeFixed(compared.output)})`,
      );
    }
    if (seconds.fixed > 0) {
      console.log(
        `(c) ab took ${(seconds.ab / seconds.fixed).toFixed(2)} of the time of ten of each (goal: at most 1); load ${describeLoad()}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const describeLoad = () =>
  loadavg()
    .map((value) => value.toFixed(2))
    .join(' ');

function describeAb({ tests: judged, rounds, disturbance }: Ab): string {
  const words = judged.map(
    ({ name, verdict, ratio }) => `${name} ${verdict} (${ratio?.toFixed(4)})`,
  );
  const others = disturbance.otherUse?.seen ?? 0;
  return `${words.join(', ')}, ${rounds} rounds, others seen in ${others} trials`;
}

/** What `compare` makes of ten of each. */
function describeFixed(output: string): string {
  const { pairs } = comparisonSchema.parse(JSON.parse(output)) as ItemsComparison;
  return pairs.map(({ verdict }) => verdict).join(', ');
}

async function writePlanted(folder: string, architecture: Architecture): Promise<string> {
  const path = join(folder, `planted-${architecture.layerCount}.gguf`);
  await writeModel({ architecture, quantization: 'Q8_0', weightSeed: 1, path, workers: 1 });
  return path;
}

async function runProgram(
  folder: string,
  cache: string,
  args: readonly string[],
): Promise<{ output: string; seconds: number }> {
  const program = fileURLToPath(new URL('../bin/rooflaw.js', import.meta.url));
  const began = process.hrtime.bigint();
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, XDG_CACHE_HOME: cache, ROOFLAW_LOCKS: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [output, progress] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const status = await ended;
  if (status !== 0) throw new Error(`rooflaw ${args.join(' ')} ended with ${status}:\n${progress}`);
  return { output, seconds: Number(process.hrtime.bigint() - began) / 1e9 };
}

if (import.meta.main) await main();
