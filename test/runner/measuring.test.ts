import { rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoadLine } from '../../src/formats/trial.ts';
import {
  createTrial,
  findRealBackend,
  type RunnerResult,
  runRunner,
  writeTinyModel,
} from '../support/real-backend.ts';

const backend = await findRealBackend();

describe.skipIf(backend.state === 'missing')('a trial on the real llama.cpp', () => {
  let model: string;
  beforeAll(async () => {
    model = await writeTinyModel('Q8_0');
  });
  afterAll(() => rm(model, { force: true }));

  const run = (changes: Parameters<typeof createTrial>[1]): Promise<RunnerResult> => {
    if (backend.state === 'missing') throw new Error(backend.what);
    return runRunner(backend.prepared, createTrial(model, changes));
  };
  const appliedOf = ({ lines }: RunnerResult): LoadLine['applied'] => {
    const [line] = lines;
    if (line?.type !== 'load') throw new Error(JSON.stringify(line));
    return line.applied;
  };

  test.each(['prefill', 'decode'] as const)('%s: load, a line a repetition, end', async (phase) => {
    const { lines, exitStatus } = await run({ phase, repetitions: 3 });
    expect(exitStatus).toBe(0);
    expect(lines.map((line) => line.type)).toEqual([
      'load',
      'repetition',
      'repetition',
      'repetition',
      'end',
    ]);
    const repetitions = lines.filter((line) => line.type === 'repetition');
    expect(repetitions.map((line) => line.index)).toEqual([0, 1, 2]);
    for (const { wallNs, prepareNs } of repetitions) {
      expect(wallNs).toBeGreaterThan(0);
      expect(prepareNs).toBeGreaterThan(0);
    }
    expect(lines.at(-1)).toMatchObject({ type: 'end', repetitions: 3 });
  });

  test('without stepTimes there is nothing about steps', async () => {
    const { lines } = await run({ cachePreparation: 'restore' });
    expect(lines[0]).toMatchObject({ type: 'load', clockNs: null });
    const repetitions = lines.filter((line) => line.type === 'repetition');
    for (const line of repetitions) {
      expect(Object.keys(line).sort()).toEqual(['index', 'prepareNs', 'type', 'wallNs']);
    }
  });

  /** Per repetition: whether the steps add up to the whole, how many they are, and the prefill. */
  const stepsOf = ({ lines, exitStatus }: RunnerResult) => {
    expect(exitStatus).toBe(0);
    return lines.flatMap((line) => {
      if (line.type !== 'repetition') return [];
      const { stepNs = [], wallNs, prefillNs, prepareNs } = line;
      const exact = stepNs.reduce((sum, ns) => sum + ns, 0) === wallNs;
      return [{ exact, count: stepNs.length, prefillNs, prepareNs }];
    });
  };

  test('the steps of a decode add up to it exactly, beside the prefill before it', async () => {
    const result = await run({ stepTimes: true, repetitions: 4 });
    const [load] = result.lines;
    if (load?.type !== 'load') throw new Error(JSON.stringify(load));
    expect(load.clockNs).toBeGreaterThan(0);
    const repetitions = stepsOf(result);
    expect(repetitions).toHaveLength(4);
    for (const { exact, count, prefillNs, prepareNs } of repetitions) {
      expect({ exact, count }).toEqual({ exact: true, count: 3 });
      expect(prefillNs).toBeGreaterThan(0);
      expect(prefillNs).toBeLessThanOrEqual(prepareNs);
    }
  });

  test('a repetition that computes no cache has no time of a prefill', async () => {
    const restored = await run({ stepTimes: true, cachePreparation: 'restore', repetitions: 3 });
    expect(stepsOf(restored).map(({ prefillNs }) => typeof prefillNs)).toEqual([
      'number',
      'object', // null
      'object',
    ]);
    const empty = await run({ stepTimes: true, sequenceLength: 0, contextSize: 3 });
    expect(stepsOf(empty).map(({ prefillNs }) => prefillNs)).toEqual([null, null]);
    expect(stepsOf(empty).map(({ exact, count }) => [exact, count])).toEqual([
      [true, 3],
      [true, 3],
    ]);
  });

  test('the load line says what llama.cpp took', async () => {
    const applied = appliedOf(await run({}));
    expect(applied).toMatchObject({
      threads: 1,
      threadsBatch: 1,
      contextSize: 256, // llama.cpp rounds up to a multiple of 256
      batch: 8,
      ubatch: 4,
      flashAttention: 'off',
      layersOffloaded: 0,
      layersTotal: 3,
    });
    expect(applied.modelBuffers.map((buffer) => buffer.name)).toContain('CPU_Mapped');
    expect(applied.kvBuffers.map((buffer) => buffer.name)).toEqual(['CPU']);
    expect(applied.computeBuffers.length).toBeGreaterThan(0);
  });

  test('flash attention, quantized caches and plain loading are taken when asked for', async () => {
    const applied = appliedOf(
      await run({
        flashAttention: 'on',
        kvTypeK: 'Q8_0',
        kvTypeV: 'Q4_0',
        loadMode: 'none',
        extraBufferTypes: false,
        kvUnified: true,
        kvOffload: false,
      }),
    );
    expect(applied.flashAttention).toBe('on');
    expect(applied.modelBuffers.map((buffer) => buffer.name)).toEqual(['CPU']);
  });

  test.skipIf(cpus().length < 2)('a pool of its own for batches when threads differ', async () => {
    expect(appliedOf(await run({ threads: 1, threadsBatch: 2 }))).toMatchObject({
      threads: 1,
      threadsBatch: 2,
    });
  });

  test.skipIf(process.platform !== 'linux')('a CPU list is applied and read back', async () => {
    const allowed = appliedOf(await run({})).cpus ?? [];
    const last = allowed.at(-1) ?? 0;
    expect(appliedOf(await run({ affinity: [last] })).cpus).toEqual([last]);
    const strict = { affinity: allowed.slice(0, 2), threadPoolStrictCpu: true };
    expect(appliedOf(await run(strict)).cpus).toEqual(allowed.slice(0, 2));
  });

  test('the log goes to standard error, or nowhere', async () => {
    expect((await run({ logSink: 'file' })).stderr).toContain('KV buffer size');
    expect((await run({ logSink: 'null' })).stderr).toBe('');
    expect((await run({ logSink: 'off' })).stderr).toBe('');
  });

  const failureOf = ({ lines, exitStatus }: RunnerResult) => {
    const line = lines.at(-1);
    if (line?.type !== 'failure') throw new Error(JSON.stringify(line));
    return { exitStatus, lines: lines.length, code: line.code, message: line.message };
  };

  test('more threads than allowed CPUs are refused, with both numbers', async () => {
    const available = appliedOf(await run({})).cpus?.length ?? cpus().length;
    expect(failureOf(await run({ threadsBatch: available + 1 }))).toEqual({
      exitStatus: 3,
      lines: 1,
      code: 'too-many-threads',
      message: `${available + 1} threads on ${available} allowed CPU${available === 1 ? '' : 's'} would wait for each other at every step`,
    });
  });

  test('an unknown device is refused with the names that there are', async () => {
    const failure = failureOf(await run({ devices: ['CUDA99'], gpuLayers: 3 }));
    expect(failure).toMatchObject({ exitStatus: 3, lines: 1, code: 'device-not-found' });
    expect(failure.message).toMatch(/^no device "CUDA99"; there are: .*CPU/);
  });

  test('layers that the CPU cannot offload make the trial a failure', async () => {
    expect(failureOf(await run({ gpuLayers: 3 }))).toEqual({
      exitStatus: 4,
      lines: 1,
      code: 'setting-not-taken',
      message: 'gpuLayers: asked 3, got 0',
    });
  });

  test.skipIf(process.platform !== 'linux')('a CPU that is not there is not taken', async () => {
    expect(failureOf(await run({ affinity: [4095] }))).toMatchObject({
      exitStatus: 4,
      code: 'setting-not-taken',
      message: expect.stringMatching(/^affinity: asked CPUs 4095, got CPUs [0-9,]+$/),
    });
  });

  test('a missing model and a cache that llama.cpp refuses are told in its words', async () => {
    expect(failureOf(await run({ modelPath: '/no/such/model.gguf' }))).toMatchObject({
      exitStatus: 3,
      code: 'model-not-loaded',
      message: expect.stringContaining('No such file or directory'),
    });
    expect(failureOf(await run({ kvTypeV: 'Q8_0' }))).toMatchObject({
      exitStatus: 3,
      code: 'context-not-created',
      message: expect.stringContaining('quantized V cache requires flash_attn'),
    });
  });
});
