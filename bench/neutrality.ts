/**
 * Does Rooflaw's runner measure what llama.cpp's own llama-bench measures? Both are run in one
 * series of fresh processes, on the same libraries, model and options: in each round every model and
 * phase in random order, and in each of them the two programs one after the other, either first.
 *
 *   node bench/neutrality.ts [--processes 5] [--length 128] [--steps 64] [--warmup 3] [--kept 5]
 *                            [--models F16,Q8_0,Q4_0] [--preparation restore] [--threads 2]
 *                            [--phases prefill,decode] [--seed 1] [--heads 16] [--cache DIR]
 *                            [--backend DIR --device CUDA0 --llama-bench FILE]
 *
 * `--heads 8` makes a quarter of the parameters of 16, so that four times as many processes fit into the
 * same time: where single processes range over 10 %, medians of seven do not settle within 1 %.
 * With `--backend` a llama.cpp of one's own, on one of its GPUs with every layer; `--llama-bench` is
 * the one of the same build.
 *
 * Prints, for each model and phase, both warm medians, their ratio, the interval of the median ratio
 * over the rounds, and what llama-bench would have printed by default: the mean of its first five
 * repetitions, after its own one for warm-up.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildLlamaBench } from '../scripts/from-llama-bench/build-llama-bench.ts';
import { prepareBackend } from '../src/backend/prepare-backend.io.ts';
import type { PreparedBackend } from '../src/backend/prepared-backend.ts';
import { runnerArguments } from '../src/backend/runner-arguments.ts';
import { runnerEnvironment } from '../src/backend/runner-environment.ts';
import { createProcessRunner } from '../src/campaign/process-runner.io.ts';
import type { TrialRunner } from '../src/campaign/trial-runner.ts';
import { cacheFolder } from '../src/commands/cache-folder.ts';
import { phaseSchema, quantizationSchema } from '../src/formats/architecture.ts';
import { runnerLineSchema, type Trial, trialSchema } from '../src/formats/trial.ts';
import { ensureModel } from '../src/gguf/ensure-model.io.ts';
import { createRandom, shuffled } from '../src/random.ts';
import { countParameters } from '../src/space/parameters.ts';
import { medianOfNumbers } from '../src/stats/number-median.ts';
import { pairedInterval } from '../src/stats/paired-interval.ts';
import {
  type Conditions,
  createArchitecture,
  createTrial,
  llamaBenchArguments,
} from './neutrality/trial.ts';

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '5' },
    length: { type: 'string', default: '128' },
    steps: { type: 'string', default: '64' },
    warmup: { type: 'string', default: '3' },
    kept: { type: 'string', default: '5' },
    models: { type: 'string', default: 'F16,Q8_0,Q4_0' },
    preparation: { type: 'string', default: 'restore' },
    threads: { type: 'string', default: '2' },
    phases: { type: 'string', default: 'prefill,decode' },
    seed: { type: 'string', default: '1' },
    heads: { type: 'string', default: '16' },
    backend: { type: 'string' },
    device: { type: 'string', default: 'CPU' },
    'llama-bench': { type: 'string' },
    cache: { type: 'string', default: cacheFolder() },
  },
});
const processes = Number(values.processes);
const sequenceLength = Number(values.length);
const decodeSteps = Number(values.steps);
const warmup = Number(values.warmup);
const kept = Number(values.kept);
const threads = Number(values.threads);
const { backend, device } = values;

/** llama-bench's -r where nothing is said. */
const usualRepetitions = 5;

const architecture = createArchitecture(Number(values.heads));
const quantizations = values.models.split(',').map((text) => quantizationSchema.parse(text));
const cachePreparation = trialSchema.shape.cachePreparation.parse(values.preparation);

const conditions: Conditions = {
  ...{ sequenceLength, decodeSteps, cachePreparation, threads, device },
  repetitions: warmup + kept,
  layerCount: architecture.layerCount,
};

/** For one process; it takes seconds. */
const timeLimitMs = 600_000;

const say = (text: string) => console.error(text);

type Program = 'runner' | 'llama-bench';
/** Times of the kept repetitions of one process, in nanoseconds. */
type Measure = (trial: Trial) => Promise<number[]>;

const logs = mkdtempSync(join(tmpdir(), 'rooflaw-neutrality-'));
process.on('exit', () => rmSync(logs, { recursive: true, force: true }));
let started = 0;

/** Both programs are started in the same way; llama-bench reads no standard input. */
function withTrial(trial: Trial): Parameters<TrialRunner['run']> {
  started += 1;
  return [trial, join(logs, `${started}.log`), timeLimitMs, new AbortController().signal];
}

function createMeasures(prepared: PreparedBackend, llamaBench: string): Record<Program, Measure> {
  const env = runnerEnvironment(prepared, process.env);
  const runner = createProcessRunner(prepared.runnerPath, runnerArguments(prepared), env);
  return {
    runner: async (trial) => {
      const record = await runner.run(...withTrial(trial));
      const lines = record.lines.map((line) => runnerLineSchema.parse(JSON.parse(line)));
      if (lines.at(-1)?.type !== 'end') throw new Error(record.lines.at(-1));
      return lines.flatMap((line) => (line.type === 'repetition' ? [line.wallNs] : []));
    },
    'llama-bench': async (trial) => {
      const args = llamaBenchArguments(trial);
      const record = await createProcessRunner(llamaBench, args, env).run(...withTrial(trial));
      const [test] = JSON.parse(record.lines.join('')) as [{ samples_ns: number[] }];
      return test.samples_ns;
    },
  };
}

const prepared = await prepareBackend({
  ...(backend === undefined ? {} : { directory: backend }),
  cacheDirectory: values.cache,
  onProgress: say,
});
const llamaBench = values['llama-bench'] ?? (await buildLlamaBench(prepared, values.cache, say));
const models = await Promise.all(
  quantizations.map(async (quantization) => ({
    quantization,
    ...(await ensureModel({
      ...{ architecture, quantization, weightSeed: 1 },
      cacheDirectory: values.cache,
    })),
  })),
);

const measures = createMeasures(prepared, llamaBench);
const random = createRandom(`neutrality/${values.seed}`);
const phases = values.phases.split(',').map((phase) => phaseSchema.parse(phase));
const programs: Program[] = ['runner', 'llama-bench'];
const medians = new Map<string, number[]>();
const remember = (key: string, ns: number) => medians.set(key, [...(medians.get(key) ?? []), ns]);
for (let round = 0; round < processes; round++) {
  const pairs = models.flatMap((model) => phases.map((phase) => ({ model, phase })));
  const jobs = shuffled(pairs, random).flatMap((pair) =>
    shuffled(programs, random).map((program) => ({ ...pair, program })),
  );
  for (const { model, phase, program } of jobs) {
    const times = await measures[program](createTrial(phase, model, conditions));
    if (times.length !== warmup + kept) throw new Error(`${program} gave ${times.length} times`);
    const key = `${model.quantization} ${phase}`;
    remember(`${key} ${program}`, middleOf(times.slice(warmup)));
    if (program === 'llama-bench')
      remember(`${key} default`, mean(times.slice(0, usualRepetitions)));
  }
  say(`round ${round + 1} of ${processes}`);
}

console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} CPUs, measured on ${device}; llama.cpp ${prepared.backend.release}`,
);
console.log(
  `${(countParameters(architecture) / 1e6).toFixed(0)} million parameters, S ${sequenceLength}, ${threads} threads, cache: ${cachePreparation}; ` +
    `medians of ${processes} processes' medians of ${kept} repetitions after ${warmup}`,
);
for (const { quantization } of models) {
  for (const phase of phases) {
    const [runner, bench, usual] = [...programs, 'default'].map(
      (program) => medians.get(`${quantization} ${phase} ${program}`) ?? [],
    ) as [number[], number[], number[]];
    const [ours, theirs] = [middleOf(runner), middleOf(bench)];
    const ms = (ns: number) => `${(ns / 1e6).toFixed(2)} ms`;
    const range = (all: number[]) => `${ms(Math.min(...all))} to ${ms(Math.max(...all))}`;
    const percent = (ratio: number) => `${(100 * (ratio - 1)).toFixed(2)} %`;
    const ratios = runner.map((ns, round) => ns / bench[round]!);
    const interval = pairedInterval(ratios, 0.95);
    const inRounds =
      interval === null
        ? 'too few rounds for an interval'
        : `round by round ${percent(middleOf(ratios))} (${percent(interval.lower)} to ${percent(interval.upper)})`;
    console.log(
      `${quantization} ${phase}: runner ${ms(ours)} (${range(runner)}), llama-bench ${ms(theirs)} (${range(bench)}), ` +
        `runner over llama-bench ${percent(ours / theirs)}, ${inRounds}; its default over itself when warm ${percent(middleOf(usual) / theirs)}`,
    );
  }
}

/** Of a process's times or of the processes; there is always one. */
function middleOf(numbers: readonly number[]): number {
  return medianOfNumbers(numbers)!;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
