/** One condition as both programs are given it. */
import type { Architecture, Phase } from '../../src/formats/architecture.ts';
import type { Trial } from '../../src/formats/trial.ts';
import { readProtocol } from '../../src/protocol/shipped.io.ts';

/**
 * Protocol v1's reference, 16 heads and 254 million parameters (508 MB in F16: more than caches hold), or
 * narrower. Before each decode repetition v1 computes the cache of S tokens, while llama-bench copies it back
 * from its first computation (`restore` here), which leaves a small model's weights in the processor's cache:
 * with 75 MB of weights the first 15 of 64 steps took up to twice as long in v1's way.
 */
export function createArchitecture(headCount: number): Architecture {
  const { reference } = readProtocol('v1');
  if (reference === 'first-condition') throw new Error('v1 names its reference');
  const scale = headCount / reference.architecture.headCount;
  return {
    ...reference.architecture,
    name: `heads-${headCount}`,
    headCount,
    kvHeadCount: reference.architecture.kvHeadCount * scale,
    feedForwardLength: reference.architecture.feedForwardLength * scale,
  };
}

export interface Conditions {
  /** Tokens of prefill, or those in the cache before a decode. */
  sequenceLength: number;
  decodeSteps: number;
  cachePreparation: Trial['cachePreparation'];
  repetitions: number;
  threads: number;
  device: string;
  layerCount: number;
}

/** With every setting of protocol v1 that is not named here. */
export function createTrial(
  phase: Phase,
  { path: modelPath, sha256: modelSha256 }: { path: string; sha256: string },
  conditions: Conditions,
): Trial {
  const { sequenceLength, decodeSteps, threads, device, layerCount } = conditions;
  const { cachePreparation, repetitions } = conditions;
  const { contextSize: _rule, gpuLayers: _layers, ...execution } = readProtocol('v1').execution;
  return {
    ...execution,
    threads,
    threadsBatch: threads,
    lazyMode: 'auto',
    logSink: 'off', // llama-bench drops llama.cpp's log
    format: 'rooflaw-trial',
    formatVersion: 1,
    modelPath,
    modelSha256,
    phase,
    sequenceLength,
    decodeSteps,
    depth: 0,
    cachePreparation,
    stepTimes: false,
    repetitions,
    tokenSeed: 1,
    contextSize: sequenceLength + (phase === 'decode' ? decodeSteps : 0),
    devices: [device],
    gpuLayers: device === 'CPU' ? 0 : layerCount + 1, // the output counts as a layer
  };
}

/** The same options, as far as llama-bench has them; its other ones equal the trial's by default. */
export function llamaBenchArguments(trial: Trial): string[] {
  const onOff = (value: boolean) => (value ? '1' : '0');
  const phase =
    trial.phase === 'prefill'
      ? { p: trial.sequenceLength, n: 0, d: 0 }
      : { p: 0, n: trial.decodeSteps, d: trial.sequenceLength };
  const options: Record<string, string | number> = {
    '-m': trial.modelPath,
    '-p': phase.p,
    '-n': phase.n,
    '-d': phase.d,
    '-r': trial.repetitions,
    '-t': trial.threads,
    '-b': trial.batch,
    '-ub': trial.ubatch,
    '-fa': trial.flashAttention,
    '-ctk': trial.kvTypeK.toLowerCase(),
    '-ctv': trial.kvTypeV.toLowerCase(),
    '-nkvo': onOff(!trial.kvOffload),
    '-nopo': onOff(!trial.opOffload),
    '--no-host': onOff(!trial.hostBuffers),
    '-lm': trial.loadMode,
    '-lzm': trial.lazyMode,
    '-sm': trial.splitMode,
    '-ngl': trial.gpuLayers,
    '-dev': trial.gpuLayers === 0 ? 'none' : trial.devices.join('/'),
    '--poll': trial.threadPoolPoll,
    '--cpu-strict': onOff(trial.threadPoolStrictCpu),
    '-o': 'json',
  };
  return Object.entries(options).flatMap(([name, value]) => [name, String(value)]);
}
