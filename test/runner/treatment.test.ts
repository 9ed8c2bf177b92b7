import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noTreatment, readingSchema, type Treatment } from '../../src/formats/treatment.ts';
import type { LoadLine, RepetitionLine } from '../../src/formats/trial.ts';
import { findTreatmentFaults } from '../../src/protocol/treatment-faults.ts';
import {
  createTrial,
  findRealBackend,
  type RunnerResult,
  runRunner,
  writeTinyModel,
} from '../support/real-backend.ts';

const backend = await findRealBackend();
const everything = [...readingSchema.options];

describe.skipIf(backend.state === 'missing')('a treated trial on the real llama.cpp', () => {
  let model: string;
  beforeAll(async () => {
    model = await writeTinyModel('Q8_0');
  });
  afterAll(() => rm(model, { force: true }));

  const send = (trial: unknown, environment?: Record<string, string>): Promise<RunnerResult> => {
    if (backend.state === 'missing') throw new Error(backend.what);
    return runRunner(backend.prepared, trial, environment);
  };
  const treat = (
    treatment: Partial<Treatment>,
    changes: Parameters<typeof createTrial>[1] = {},
    environment: Record<string, string> = {},
  ) =>
    send(
      {
        ...createTrial(model, changes),
        formatVersion: 2,
        treatment: { ...noTreatment, ...treatment },
      },
      environment,
    );
  const split = ({ lines, exitStatus }: RunnerResult) => {
    expect([exitStatus, lines.at(-1)?.type]).toEqual([0, 'end']);
    return {
      load: lines[0] as LoadLine,
      repetitions: lines.filter((line): line is RepetitionLine => line.type === 'repetition'),
    };
  };
  const failureOf = ({ lines }: RunnerResult) => {
    const last = lines.at(-1);
    return last?.type === 'failure' ? `${last.code}: ${last.message}` : JSON.stringify(last);
  };

  test('with nothing in it says so, and has no counters', async () => {
    const { load, repetitions } = split(await treat({}));
    expect(load.treatment).toEqual({
      readings: {},
      mperfHertz: null,
      residentShare: expect.any(Number),
    });
    expect(repetitions.map(({ counters, activity }) => [counters, activity])).toEqual([
      [{}, undefined],
      [{}, undefined],
    ]);
  });

  test.each(everything)('asked for %s alone reads that alone, or says why not', async (reading) => {
    const { load, repetitions } = split(await treat({ readings: [reading] }));
    expect(
      findTreatmentFaults(
        { treatment: { ...noTreatment, readings: [reading] } },
        load,
        repetitions,
      ),
    ).toEqual([]);
    const said = load.treatment!.readings[reading]!;
    const counters = repetitions.flatMap((line) => Object.keys(line.counters!));
    if ('source' in said) expect(counters.length).toBeGreaterThan(0);
    else expect([said.notMeasured, counters]).toEqual([expect.stringMatching(/\w{3}/), []]);
  });

  test('counts what can be: a thread’s time is part of its process’s and of what elapsed', async () => {
    const { repetitions } = split(
      await treat({ readings: ['cpu-time', 'placement', 'page-faults', 'context-switches'] }),
    );
    for (const { wallNs, counters } of repetitions) {
      const { mainCpuNs = 0, processCpuNs = 0, startCpu } = counters!;
      expect(mainCpuNs).toBeGreaterThan(0);
      expect(processCpuNs).toBeGreaterThanOrEqual(mainCpuNs);
      expect(mainCpuNs).toBeLessThan(wallNs + 1_000_000); // reading the clocks is outside the timer
      expect(startCpu).toBeGreaterThanOrEqual(0);
    }
  });

  test('a main thread that is moved ends up where it was sent, before the timer', async () => {
    const { load, repetitions } = split(
      await treat({ readings: ['placement'], mainThread: { prepareOn: 0, timeOn: 0 } }),
    );
    for (const { counters } of repetitions) {
      expect(counters).toMatchObject({ startCpu: 0, endCpu: 0 });
      if ('source' in load.treatment!.readings.migrations!) expect(counters!.migrations).toBe(0);
    }
  });

  test('a main thread that is moved between two CPUs is on the second for all of the timer', async () => {
    const { cpus } = split(await treat({})).load.applied;
    if (cpus === null || cpus.length < 2) return; // nowhere to go
    const [prepareOn, timeOn] = cpus as [number, number];
    for (const [from, to] of [
      [prepareOn, timeOn],
      [timeOn, prepareOn],
    ] as const) {
      const { load, repetitions } = split(
        await treat(
          { readings: ['placement'], mainThread: { prepareOn: from, timeOn: to } },
          { repetitions: 3 },
        ),
      );
      expect(load.applied.cpus).toEqual(cpus); // the others' CPUs are as they were
      for (const { counters } of repetitions) {
        expect(counters).toMatchObject({ startCpu: to, endCpu: to });
        if ('source' in load.treatment!.readings.migrations!) expect(counters!.migrations).toBe(0);
      }
    }
  });

  test('a CPU that is offline or not allowed is refused by name, with those there are', async () => {
    expect(failureOf(await treat({ mainThread: { prepareOn: 0, timeOn: 4095 } }))).toMatch(
      /^setting-not-taken: treatment.mainThread: CPU 4095 is offline or not allowed; allowed: \d/,
    );
  });

  test('a main thread that ggml binds itself is not moved besides', async () => {
    const mainThread = { prepareOn: 0, timeOn: 0 };
    const binds = { threadPoolStrictCpu: true, numa: 'distribute' } as const;
    expect(failureOf(await treat({ mainThread }, { ...binds, affinity: [0] }))).toBe(
      'invalid-trial: 2 faults; treatment.mainThread: cannot move a thread that threadPoolStrictCpu binds; ' +
        'treatment.mainThread: cannot move a thread that numa binds',
    );
  });

  test('integer work comes in slices of a millisecond that fill the time', async () => {
    const activity = { kind: 'integer-work', milliseconds: 5 } as const;
    const { repetitions } = split(await treat({ activity }));
    for (const { activity: done, prepareNs } of repetitions) {
      const { elapsedNs, sliceNs = [], sliceOperations = [], steps } = done!;
      expect(elapsedNs).toBeGreaterThanOrEqual(5_000_000);
      expect(prepareNs).toBeGreaterThanOrEqual(elapsedNs);
      const sum = sliceNs.reduce((total, ns) => total + ns, 0);
      expect(sum).toBeGreaterThan(4_000_000);
      expect(sum).toBeLessThanOrEqual(elapsedNs);
      expect(sliceOperations).toHaveLength(sliceNs.length);
      expect(Math.min(...sliceOperations)).toBeGreaterThan(0);
      expect(steps).toBeUndefined();
    }
  });

  test('a sleep takes no CPU time and lasts as long as was asked', async () => {
    const { repetitions } = split(
      await treat({ activity: { kind: 'sleep', milliseconds: 20 }, readings: ['cpu-time'] }),
    );
    for (const { activity } of repetitions)
      expect(activity!.elapsedNs).toBeGreaterThanOrEqual(20_000_000);
  });

  test.each([
    ['decode after tokens', {}],
    ['decode from an empty cache', { sequenceLength: 0, contextSize: 3 }],
    ['prefill', { phase: 'prefill', contextSize: 12 }],
    ['prefill after tokens', { phase: 'prefill', depth: 6, contextSize: 18 }],
    ['decode from a restored cache', { cachePreparation: 'restore' }],
  ] as const)(
    'real decode before a %s is taken back: the tokens end where they should',
    async (_, changes) => {
      const { repetitions } = split(
        await treat(
          { activity: { kind: 'decode', milliseconds: 5 } },
          { ...changes, repetitions: 3 },
        ),
      );
      for (const { activity } of repetitions) {
        expect(activity!.steps).toBeGreaterThan(0);
        expect(activity!.elapsedNs).toBeGreaterThanOrEqual(5_000_000);
      }
    },
  );

  test('the model’s file is read into the page cache, or dropped from it', async () => {
    const warm = split(await treat({ pageCache: 'warm' })).load.treatment!.residentShare;
    expect(warm).toBe(1);
    const dropped = split(await treat({ pageCache: 'dropped' })).load.treatment!.residentShare;
    expect(dropped).toBeLessThan(1);
  });

  test('a treatment needs format 2, and format 2 a treatment', async () => {
    const plain = createTrial(model);
    expect(failureOf(await send({ ...plain, treatment: noTreatment }))).toBe(
      'invalid-trial: 1 fault; treatment: is not a field of a trial',
    );
    expect(failureOf(await send({ ...plain, formatVersion: 2 }))).toBe(
      'invalid-trial: 1 fault; treatment: is missing',
    );
  });

  test('every fault of a treatment is named at once, with its place', async () => {
    const treatment = {
      readings: ['cpu-time', 'cpu-time'],
      mainThread: { prepareOn: -1, other: 1 },
      activity: { kind: 'think', milliseconds: 0 },
      pageCache: 'cold',
      speed: 1,
    };
    const { lines } = await send({ ...createTrial(model), formatVersion: 2, treatment });
    expect(lines.at(-1)).toMatchObject({ code: 'invalid-trial' });
    const { message } = lines.at(-1) as { message: string };
    expect(message.split('; ').sort()).toEqual([
      '8 faults',
      'treatment.activity.kind: must be one of sleep, integer-work, decode',
      'treatment.activity.milliseconds: must be an integer from 1 to 3600000',
      'treatment.mainThread.other: is not a field of mainThread',
      'treatment.mainThread.prepareOn: must be an integer from 0 to 4095',
      'treatment.mainThread.timeOn: is missing',
      'treatment.pageCache: must be one of as-is, dropped, warm',
      'treatment.readings: must be a list of different readings',
      'treatment.speed: is not a field of a treatment',
    ]);
  });

  test('a field inside that stands there twice is seen', async () => {
    const text = JSON.stringify({
      ...createTrial(model),
      formatVersion: 2,
      treatment: noTreatment,
    }).replace('"pageCache":"as-is"', '"pageCache":"as-is","pageCache":"warm"');
    expect(failureOf(await send(text))).toContain('pageCache: stands here twice');
  });

  test('under another program the harness names no process, and the runner lives', async () => {
    expect((await treat({}, {}, { ROOFLAW_HARNESS: '' })).exitStatus).toBe(0);
    expect((await treat({}, {}, { ROOFLAW_HARNESS: '1' })).exitStatus).toBeNull(); // killed by itself
  });
});
