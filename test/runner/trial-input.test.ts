import { describe, expect, test } from 'vitest';
import { trialSchema } from '../../src/formats/trial.ts';
import { createTrial, findRealBackend, runRunner } from '../support/real-backend.ts';

const backend = await findRealBackend();
const fields = Object.keys(trialSchema.shape);
const trial: Record<string, unknown> = createTrial('/no/such/model.gguf');

describe.skipIf(backend.state === 'missing')('what the runner reads', () => {
  const refuse = async (input: unknown): Promise<string> => {
    if (backend.state === 'missing') throw new Error(backend.what);
    const { lines, exitStatus } = await runRunner(backend.prepared, input);
    expect(exitStatus).toBe(2);
    expect(lines).toHaveLength(1);
    const [line] = lines;
    if (line?.type !== 'failure') throw new Error('no failure line');
    expect(line.code).toBe('invalid-trial');
    return line.message;
  };

  test('a trial without any field is refused with every field named', async () => {
    const message = await refuse({});
    expect(message).toMatch(/^39 faults; /);
    expect(fields.filter((name) => !message.includes(`; ${name}: is missing`))).toEqual([]);
  });

  test.each(fields)('a trial without %s is refused for that alone', async (name) => {
    const { [name]: _left, ...rest } = trial;
    expect(await refuse(rest)).toBe(`1 fault; ${name}: is missing`);
  });

  test('a wrong type in every field is named for each of them', async () => {
    const wrong = Object.fromEntries(fields.map((name) => [name, { of: 'another type' }]));
    const message = await refuse(wrong);
    expect(message).toMatch(/^39 faults; /);
    expect(fields.filter((name) => !message.includes(`; ${name}: must be `))).toEqual([]);
  });

  test('numbers outside the format are refused by the runner as by the schema', async () => {
    const outside: Record<string, unknown> = {
      formatVersion: 3,
      sequenceLength: 2 ** 20 + 1,
      depth: 2 ** 20 + 1,
      decodeSteps: 1_048_577,
      repetitions: 20_001,
      tokenSeed: 2 ** 32,
      contextSize: 2 ** 24 + 1,
      gpuLayers: 4098,
      threads: 513,
      threadsBatch: 0,
      threadPoolPoll: 101,
      affinity: [4096],
      batch: 0,
      ubatch: 1.5,
      devices: [],
      modelSha256: 'A'.repeat(64),
      modelPath: '',
    };
    const message = await refuse({ ...trial, ...outside });
    expect(message).toMatch(/^17 faults; /);
    for (const [name, value] of Object.entries(outside)) {
      expect(message).toContain(`; ${name}: `);
      expect(trialSchema.safeParse({ ...trial, [name]: value }).success).toBe(false);
    }
  });

  test('unknown fields and faulty ones are told together', async () => {
    const message = await refuse({ ...trial, threds: 4, kvOffload: 1, affinity: [0, 0] });
    expect(message).toBe(
      '3 faults; kvOffload: must be true or false; ' +
        'affinity: must be "default" or a list of different CPU numbers; ' +
        'threds: is not a field of a trial',
    );
  });

  test('settings that contradict each other are refused', async () => {
    const message = await refuse({
      ...trial,
      contextSize: 14,
      ubatch: 16,
      devices: ['CPU', 'CUDA0'],
      threadPoolStrictCpu: true,
    });
    expect(message).toBe(
      '5 faults; contextSize: must hold the 15 tokens of the phase; ' +
        'ubatch: must not be larger than batch; ' +
        'devices: must be exactly one when splitMode is none; ' +
        'devices: must not name the CPU beside another device; ' +
        'threadPoolStrictCpu: needs a list of CPUs in affinity',
    );
  });

  test('what a prefill cannot have is refused, all of it at once', async () => {
    const prefill = { ...trial, phase: 'prefill', sequenceLength: 0, stepTimes: true, depth: 16 };
    expect(await refuse(prefill)).toBe(
      '3 faults; sequenceLength: must be at least 1 in prefill; ' +
        'stepTimes: must be false in prefill, which has no steps; ' +
        'contextSize: must hold the 16 tokens of the phase',
    );
  });

  test('the context of a prefill holds its depth besides', async () => {
    const prefill = { ...trial, phase: 'prefill', sequenceLength: 12, depth: 8 };
    expect(await refuse({ ...prefill, contextSize: 19 })).toBe(
      '1 fault; contextSize: must hold the 20 tokens of the phase',
    );
  });

  test('a decode has its depth in sequenceLength', async () => {
    expect(await refuse({ ...trial, depth: 1, ubatch: 16 })).toBe(
      '2 faults; depth: must be 0 in decode, where sequenceLength is the depth; ' +
        'ubatch: must not be larger than batch',
    );
    expect(await refuse({ ...trial, depth: -1, cachePreparation: 'keep', stepTimes: 1 })).toBe(
      '3 faults; depth: must be an integer from 0 to 1048576; ' +
        'cachePreparation: must be one of compute, restore; ' +
        'stepTimes: must be true or false',
    );
  });

  test('a field that stands twice is refused', async () => {
    const text = JSON.stringify(trial).replace('{', '{"threads":2,');
    expect(await refuse(text)).toBe('1 fault; threads: stands here twice');
  });

  test.each(['', '[]', 'null', '{"format":', '{} {}'])('%j is no trial', async (text) => {
    expect(await refuse(text)).toBe('standard input must hold one JSON object');
  });
});
