/**
 * How often `rooflaw ab` is wrong, and what it saves:
 *
 *   node bench/ab-false-alarms.ts [--simulations 2000] [--runs 20] [--plants 3] [--threads N]
 *                                 [--max-rounds 30] [--margin 0.005] [--cache DIR]
 *                                 [--heads 4] [--layers 21] [--work "-p 32 -n 8 --warmup 1 --kept 3"]
 *                                 [--backend DIR --device CUDA0]
 *
 * (a) simulated campaigns of two identical sides through the same decision code, under normal noise, heavy
 *     tails and a drift: in how many anything is called slower or faster (goal: at most 5 %, which the rule
 *     spends almost to the end, so that chance puts half of all benches a little above it: beside the count
 *     stands the most that chance allows);
 *     and campaigns with 5 % planted: what is decided, and at what cost beside ten processes of each, for
 *     processes that scatter little and much;
 * (b) real runs of two identical sides on this machine: the same count, and in how many of their redraws;
 * (c) real runs of a model of 20 layers (a) against one of 21 (b), which is 5 % more work in the layers,
 *     or of `--layers`:
 *     what is called, and the time until it is, beside the time of ten processes of each (goal: not more).
 *
 * (b) and (c) are of this machine as it is; a busy one gives other times and, if its noise comes in groups of
 * rounds, more alarms.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cacheFolder } from '../src/commands/cache-folder.ts';
import { loadRecord } from '../src/commands/load-record.ts';
import { type Ab, abSchema } from '../src/formats/ab.ts';
import type { Architecture } from '../src/formats/architecture.ts';
import { comparisonSchema, type ItemsComparison } from '../src/formats/comparison.ts';
import { writeModel } from '../src/gguf/write-model.io.ts';
import { countRedrawnAlarms } from './ab/redraw.ts';
import { countAlarms, countPlants, usualRule, type WorldName, worlds } from './ab/simulation.ts';

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
      'max-rounds': { type: 'string', default: `${usualRule.maxRounds}` },
      margin: { type: 'string', default: `${usualRule.margin}` },
      heads: { type: 'string', default: '4' },
      layers: { type: 'string', default: '21' },
      work: { type: 'string', default: usualWork },
      backend: { type: 'string' },
      device: { type: 'string' },
      cache: { type: 'string', default: dirname(cacheFolder()) },
    },
  });
  console.log(`${cpus()[0]?.model}, ${cpus().length} CPUs, load ${describeLoad()}`);
  const rule = { maxRounds: Number(values['max-rounds']), margin: Number(values.margin) };
  for (const world of Object.keys(worlds) as WorldName[]) {
    const found = countAlarms(world, Number(values.simulations), 1, rule);
    const { simulations, alarms, slower, faster, equivalent, open, meanRounds } = found;
    console.log(
      `(a) ${world}: ${alarms} of ${simulations} campaigns with a false alarm (5 % are ${0.05 * simulations}; chance allows ${mostByChance(simulations)}); tests: ${slower} slower, ${faster} faster, ${equivalent} equivalent, ${open} open; ${meanRounds.toFixed(1)} rounds`,
    );
  }
  for (const deviation of [0.005, 0.01, 0.015, 0.02, 0.03, 0.05]) {
    const { decided, processes, decidedByTen } = countPlants(
      deviation,
      Math.ceil(Number(values.simulations) / 4),
      1,
      rule,
    );
    console.log(
      `(a) 5 % planted, processes scatter by ${percent(deviation)}: ${percent(decided)} of tests decided with ${processes.toFixed(2)} of the processes of ten of each, which decide ${percent(decidedByTen)}`,
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
  const ruleWords = ['--margin', margin, '--max-rounds', values['max-rounds'], '--yes', '--json'];
  try {
    const architectures = [20, Number(values.layers)].map((layers) =>
      createPlanted(Number(values.heads), layers),
    );
    const [a, b] = await Promise.all(architectures.map((each) => writePlanted(folder, each)));
    // compiles the runner where it is not there yet, outside of what is timed
    await run(['bench', '-m', a!, ...shared, '--processes', '2', '--yes']);
    let alarms = 0;
    const redrawn: number[] = [];
    for (let number = 0; number < Number(values.runs); number++) {
      const words = ['ab', '-m', a!, '--a', '', '--b', '', ...shared, ...ruleWords];
      const { output } = await run([...words, '--name', `same-${number}`]);
      const ab = abSchema.parse(JSON.parse(output));
      if (ab.tests.some(({ verdict }) => verdict === 'slower' || verdict === 'faster')) alarms += 1;
      console.log(`(b) ${number + 1}: ${describeAb(ab)}; ${alarms} false alarms so far`);
      if (ab.rounds < rule.maxRounds) continue; // what it ended before is not there to be drawn
      const record = await loadRecord(join(folder, 'campaigns', `same-${number}`, 'ledger.ndjson'));
      redrawn.push(countRedrawnAlarms(record, redraws, `${number}`));
    }
    if (redrawn.length > 0) {
      const share = redrawn.reduce((sum, each) => sum + each, 0) / redrawn.length;
      console.log(
        `(b) the same times with the sides of each round drawn anew, ${redraws} times for each of ${redrawn.length} runs that had all rounds: ${percent(share)} call a difference`,
      );
    }
    const seconds = { ab: 0, fixed: 0 };
    for (let number = 0; number < Number(values.plants); number++) {
      const words = ['ab', '-m', a!, '-m', b!, ...shared, ...ruleWords];
      const decided = await run([...words, '--name', `planted-${number}`]);
      const fixed = await run([
        ...['bench', '-m', a!, '-m', b!, ...shared, '--processes', '10', '--yes'],
        ...['--name', `fixed-${number}`],
      ]);
      const compared = await run([
        ...[
          'compare',
          `fixed-${number}`,
          'architecture=planted-20',
          `architecture=planted-${values.layers}`,
        ],
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

/** Of each real run of identical sides. */
const redraws = 1000;

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

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
