/**
 * Does a runner that can treat trials compute the same inside the timer as one without those abilities?
 * Compiles the runner twice, with and without -DROOFLAW_WITHOUT_TREATMENTS, runs both on the same plain trials
 * under callgrind, and compares the instructions of the functions that the timer holds.
 *
 *   node bench/instructions.ts [--length 64] [--steps 16] [--repetitions 3]
 *
 * Needs valgrind (Debian's package of that name). One thread, so that no thread waits for another.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareBackend } from '../src/backend/prepare-backend.io.ts';
import { runnerArguments } from '../src/backend/runner-arguments.ts';
import { runnerEnvironment } from '../src/backend/runner-environment.ts';
import { cacheFolder } from '../src/commands/cache-folder.ts';
import type { Phase } from '../src/formats/architecture.ts';
import { ensureModel } from '../src/gguf/ensure-model.io.ts';
import { readSpace } from '../src/space/shipped.io.ts';
import { createTrial } from './neutrality/trial.ts';

const { values } = parseArgs({
  options: {
    length: { type: 'string', default: '64' },
    steps: { type: 'string', default: '16' },
    repetitions: { type: 'string', default: '3' },
  },
});

const space = readSpace('pocket');
const architecture = space.architectures.find(({ name }) => name === 'middle')!;
const model = await ensureModel({
  architecture,
  quantization: 'Q8_0',
  weightSeed: 1,
  cacheDirectory: cacheFolder(),
});
const folder = mkdtempSync(join(tmpdir(), 'rooflaw-instructions-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Names of functions must outlive stripping. */
const keepNames = '-rdynamic';
const compiler = process.env.CXX ?? 'c++';
const build = (flags: string) => {
  process.env.CXX = `${compiler} ${keepNames} ${flags}`.trim();
  return prepareBackend({
    cacheDirectory: cacheFolder(),
    onProgress: (text) => console.error(text),
  });
};
const runners = {
  'without treatments': await build('-DROOFLAW_WITHOUT_TREATMENTS'),
  'with treatments': await build(''),
};

/** What the timer of each phase holds. */
const timedFunctions: Record<Phase, string> = {
  prefill: 'timed::decode_all*',
  decode: 'timed::decode_each(*',
};

function countInstructions(name: keyof typeof runners, phase: Phase): number {
  const runner = runners[name];
  const trial = createTrial(phase, model, {
    sequenceLength: Number(values.length),
    decodeSteps: Number(values.steps),
    cachePreparation: 'restore',
    repetitions: Number(values.repetitions),
    threads: 1,
    device: 'CPU',
    layerCount: architecture.layerCount,
  });
  const words = [
    '--tool=callgrind',
    `--callgrind-out-file=${join(folder, 'callgrind.out')}`,
    '--collect-atstart=no',
    `--toggle-collect=${timedFunctions[phase]}`,
    runner.runnerPath,
    ...runnerArguments(runner),
  ];
  const { status, stderr } = spawnSync('valgrind', words, {
    input: `${JSON.stringify(trial)}\n`,
    env: runnerEnvironment(runner, process.env),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const [, collected] = /Collected : (\d+)/.exec(stderr) ?? [];
  if (status !== 0 || collected === undefined)
    throw new Error(`valgrind ended with status ${status}: ${stderr.slice(-500)}`);
  return Number(collected);
}

for (const phase of ['prefill', 'decode'] as const) {
  const [without, again, wth] = [
    countInstructions('without treatments', phase),
    countInstructions('without treatments', phase),
    countInstructions('with treatments', phase),
  ];
  const share = (a: number, b: number) => `${(((b - a) / a) * 100).toFixed(5)} %`;
  console.log(
    `${phase}: ${without.toLocaleString('en-US')} instructions inside the timer without treatments`,
  );
  console.log(
    `  the same again: ${share(without, again)}; with treatments compiled in and off: ${share(without, wth)}`,
  );
}
