import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noTreatment, type Treatment } from '../../src/formats/treatment.ts';
import type { LoadLine, RepetitionLine } from '../../src/formats/trial.ts';
import { findTreatmentFaults } from '../../src/protocol/treatment-faults.ts';
import { buildPreloadedLibrary, canPreload } from '../support/preloaded-library.ts';
import {
  createTrial,
  findRealBackend,
  runRunner,
  writeTinyModel,
} from '../support/real-backend.ts';

const backend = await findRealBackend();

describe.skipIf(backend.state === 'missing' || !canPreload)('on a system that refuses', () => {
  let model: string;
  let library: string;
  beforeAll(async () => {
    model = await writeTinyModel('F16');
    const source = fileURLToPath(new URL('refusing-library.cpp', import.meta.url));
    library = await buildPreloadedLibrary(source, 'refusing');
  });
  afterAll(() => Promise.all([model, library].map((path) => rm(path, { force: true }))));

  const run = (treatment: Partial<Treatment>, environment: Record<string, string>) => {
    if (backend.state === 'missing') throw new Error(backend.what);
    const trial = {
      ...createTrial(model),
      formatVersion: 2,
      treatment: { ...noTreatment, ...treatment },
    };
    return runRunner(backend.prepared, trial, { ...environment, LD_PRELOAD: library });
  };

  test('a reading whose file is not there is not measured, with its name, and the others are', async () => {
    const readings = ['scheduler-wait', 'cpu-time'] as const;
    const { lines, exitStatus } = await run(
      { readings: [...readings] },
      { HIDE_FILES: '/proc/thread-self/schedstat' },
    );
    expect(exitStatus).toBe(0);
    const load = lines[0] as LoadLine;
    expect(load.treatment!.readings).toMatchObject({
      'scheduler-wait': { notMeasured: '/proc/thread-self/schedstat: No such file or directory' },
      'cpu-time': { source: 'clock_gettime of thread and process' },
    });
    const repetitions = lines.filter((line): line is RepetitionLine => line.type === 'repetition');
    for (const { counters } of repetitions)
      expect(Object.keys(counters!).sort()).toEqual(['mainCpuNs', 'processCpuNs']);
    const treatment = { ...noTreatment, readings: [...readings] };
    expect(findTreatmentFaults({ treatment }, load, repetitions)).toEqual([]);
  });

  test('migrations are counted another way, or the two looks are all there is', async () => {
    const { lines } = await run(
      { readings: ['placement'] },
      { HIDE_FILES: '/proc/thread-self/sched' },
    );
    const { readings } = (lines[0] as LoadLine).treatment!;
    expect(readings.placement).toEqual({ source: 'sched_getcpu at both ends' });
    const said = readings.migrations!;
    if ('source' in said) expect(said.source).toBe("perf's event of migrations");
    else
      expect(said.notMeasured).toMatch(
        /^\/proc\/thread-self\/sched: No such file or directory; perf/,
      );
  });

  test('an affinity that the system refuses ends the trial with the CPU’s number', async () => {
    const { lines, exitStatus } = await run(
      { mainThread: { prepareOn: 0, timeOn: 0 } },
      { REFUSE_AFFINITY: '1' },
    );
    expect(exitStatus).toBe(4);
    expect(lines.at(-1)).toEqual({
      type: 'failure',
      code: 'setting-not-taken',
      message: 'treatment.mainThread: the system refused CPU 0',
    });
  });

  test('a frequency comes from the registers of the CPU on which the thread stayed, slice by slice too', async () => {
    const { lines, exitStatus } = await run(
      {
        readings: ['frequency'],
        mainThread: { prepareOn: 0, timeOn: 0 },
        activity: { kind: 'integer-work', milliseconds: 3 },
      },
      { REGISTERS: '1' },
    );
    expect(exitStatus).toBe(0);
    expect((lines[0] as LoadLine).treatment!.readings).toEqual({
      frequency: { source: '/dev/cpu/*/msr' },
    });
    const repetitions = lines.filter((line): line is RepetitionLine => line.type === 'repetition');
    for (const { counters, activity } of repetitions) {
      expect(counters).toEqual({ aperf: 3000, mperf: 2000 });
      const { sliceAperf = [], sliceMperf = [], sliceNs = [] } = activity!;
      expect([sliceAperf.length, sliceMperf.length]).toEqual([sliceNs.length, sliceNs.length]);
      expect([sliceAperf[0], sliceMperf[0]]).toEqual([3000, 2000]);
    }
  });
});
