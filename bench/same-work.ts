/**
 * Does Rooflaw's runner have llama.cpp do what llama-bench has it do? Times of processes scatter too much on
 * most machines to show 1 %; instructions do not scatter. Both programs run one and then two repetitions of
 * the same condition under valgrind's callgrind, which counts the instructions inside `llama_decode`, what both of
 * them time. The difference is one repetition, without the runner's untimed look at the graph.
 *
 *   node bench/same-work.ts [--heads 4] [--length 32] [--steps 8] [--models F16,Q8_0,Q4_0] [--cache DIR]
 *
 * One thread, since threads that wait for each other spin, as long as chance will have it. Needs valgrind, which
 * has no AVX-512 and no AMX: llama.cpp takes its kernels for AVX2 in both programs.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildLlamaBench } from '../scripts/from-llama-bench/build-llama-bench.ts';
import { prepareBackend } from '../src/backend/prepare-backend.io.ts';
import { runnerArguments } from '../src/backend/runner-arguments.ts';
import { runnerEnvironment } from '../src/backend/runner-environment.ts';
import { cacheFolder } from '../src/commands/cache-folder.ts';
import { phaseSchema, quantizationSchema } from '../src/formats/architecture.ts';
import type { Trial } from '../src/formats/trial.ts';
import { ensureModel } from '../src/gguf/ensure-model.io.ts';
import { createArchitecture, createTrial, llamaBenchArguments } from './neutrality/trial.ts';

const { values } = parseArgs({
  options: {
    heads: { type: 'string', default: '4' },
    length: { type: 'string', default: '32' },
    steps: { type: 'string', default: '8' },
    models: { type: 'string', default: 'F16,Q8_0,Q4_0' },
    cache: { type: 'string', default: cacheFolder() },
  },
});
const say = (text: string) => console.error(text);
const folder = mkdtempSync(join(tmpdir(), 'rooflaw-same-work-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const prepared = await prepareBackend({ cacheDirectory: values.cache, onProgress: say });
const llamaBench = await buildLlamaBench(prepared, values.cache, say);
const architecture = createArchitecture(Number(values.heads));
const env = runnerEnvironment(prepared, process.env);

/** Instructions inside `llama_decode`, all threads of the process together. */
function countInstructions(command: string, args: readonly string[], input: string): number {
  const output = join(folder, 'callgrind.out');
  const options = [`--callgrind-out-file=${output}`, '--toggle-collect=llama_decode'];
  const { status, stderr } = spawnSync(
    'valgrind',
    ['--tool=callgrind', ...options, command, ...args],
    { input, env: { ...env, PATH: process.env.PATH }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${command} under valgrind ended with ${status}:\n${stderr}`);
  const total = /^(?:summary|totals): (\d+)$/m.exec(readFileSync(output, 'utf8'))?.[1];
  if (total === undefined) throw new Error('callgrind wrote no total');
  return Number(total);
}

/** Instructions of all repetitions of a trial, the runner's and then llama-bench's. */
const programs = [
  (trial: Trial) =>
    countInstructions(prepared.runnerPath, runnerArguments(prepared), `${JSON.stringify(trial)}\n`),
  (trial: Trial) =>
    countInstructions(llamaBench, [...llamaBenchArguments(trial), '--no-warmup'], ''),
];

for (const text of values.models.split(',')) {
  const quantization = quantizationSchema.parse(text);
  const model = await ensureModel({
    ...{ architecture, quantization, weightSeed: 1 },
    cacheDirectory: values.cache,
  });
  for (const phase of phaseSchema.options) {
    const trial = createTrial(phase, model, {
      sequenceLength: phase === 'decode' ? 0 : Number(values.length), // nothing is decoded outside the timer
      decodeSteps: Number(values.steps),
      cachePreparation: 'restore',
      repetitions: 1,
      threads: 1,
      device: 'CPU',
      layerCount: architecture.layerCount,
    });
    const [ours, theirs] = programs.map(
      (count) => count({ ...trial, repetitions: 2 }) - count(trial),
    ) as [number, number];
    const difference = (100 * (ours / theirs - 1)).toFixed(4);
    console.log(
      `${quantization} ${phase}: runner ${ours.toLocaleString('en')} instructions, llama-bench ${theirs.toLocaleString('en')}: ${difference} %`,
    );
  }
}
