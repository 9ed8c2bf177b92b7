import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { prepareBackend } from '../../src/backend/prepare-backend.io.ts';
import type { PreparedBackend } from '../../src/backend/prepared-backend.ts';
import { runnerArguments } from '../../src/backend/runner-arguments.ts';
import { runnerEnvironment } from '../../src/backend/runner-environment.ts';
import { RooflawError } from '../../src/errors.ts';
import type { Quantization } from '../../src/formats/architecture.ts';
import { type PlainTrial, type RunnerLine, runnerLineSchema } from '../../src/formats/trial.ts';
import { writeModel } from '../../src/gguf/write-model.io.ts';
import { createBaseExecution } from '../../src/llama-bench/options/base-execution.ts';
import { tinyArchitecture } from './small-plan.ts';

/** Kept between test runs, so that only the first compiles. `rooflaw` finds it as its own cache. */
export const testCache = resolve(import.meta.dirname, '../../node_modules/.cache/rooflaw');

/** The embedded llama.cpp with its runner, or what is missing on this machine. */
export type RealBackend =
  | { state: 'ready'; prepared: PreparedBackend }
  | { state: 'missing'; what: string };

const whatMayBeMissing = ['no-compiler', 'no-backend'];

export async function findRealBackend(): Promise<RealBackend> {
  try {
    const prepared = await prepareBackend({ cacheDirectory: testCache, onProgress: () => {} });
    return { state: 'ready', prepared };
  } catch (error) {
    if (!(error instanceof RooflawError && whatMayBeMissing.includes(error.code))) throw error;
    return { state: 'missing', what: error.message };
  }
}

/** A model of some kilobytes with real weights. */
export async function writeTinyModel(quantization: Quantization): Promise<string> {
  const folder = join(testCache, 'models');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `tiny-${quantization}-${process.pid}.gguf`);
  await writeModel({
    architecture: tinyArchitecture,
    quantization,
    weightSeed: 1,
    path,
    workers: 1,
  });
  return path;
}

/** A decode trial of two repetitions on one thread of the CPU. */
export function createTrial(modelPath: string, changes: Partial<PlainTrial> = {}): PlainTrial {
  return {
    ...createBaseExecution(1),
    format: 'rooflaw-trial',
    formatVersion: 1,
    modelPath,
    modelSha256: 'a'.repeat(64),
    phase: 'decode',
    sequenceLength: 12,
    depth: 0,
    decodeSteps: 3,
    repetitions: 2,
    cachePreparation: 'compute',
    stepTimes: false,
    tokenSeed: 7,
    contextSize: 15,
    devices: ['CPU'],
    gpuLayers: 0,
    batch: 8,
    ubatch: 4,
    ...changes,
  };
}

export interface RunnerResult {
  /** Every line of the channel, checked against its format. */
  lines: RunnerLine[];
  exitStatus: number | null;
  stderr: string;
}

/** Runs the runner on anything: a trial, or what is none. */
export async function runRunner(
  prepared: PreparedBackend,
  trial: unknown,
  environment: Record<string, string> = {},
): Promise<RunnerResult> {
  const child = spawn(prepared.runnerPath, runnerArguments(prepared), {
    env: { ...runnerEnvironment(prepared, process.env), ...environment },
  });
  child.stdin.on('error', () => {}); // it may end without reading
  child.stdin.end(typeof trial === 'string' ? trial : JSON.stringify(trial));
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  const [exitStatus] = await ended;
  const texts = stdout.toString().split('\n');
  if (texts.pop() !== '') throw new Error(`the last line is not complete: ${stdout}`);
  const lines = texts.map((text) => runnerLineSchema.parse(JSON.parse(text)));
  return { lines, exitStatus, stderr: stderr.toString() };
}
