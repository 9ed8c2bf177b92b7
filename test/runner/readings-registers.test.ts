import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noTreatment } from '../../src/formats/treatment.ts';
import type { LoadLine, RepetitionLine } from '../../src/formats/trial.ts';
import { buildPreloadedLibrary, canPreload } from '../support/preloaded-library.ts';
import {
  createTrial,
  findRealBackend,
  runRunner,
  writeTinyModel,
} from '../support/real-backend.ts';

const backend = await findRealBackend();

describe.skipIf(backend.state === 'missing' || !canPreload)('registers that stand still', () => {
  let model: string;
  let library: string;
  beforeAll(async () => {
    model = await writeTinyModel('F16');
    const source = join(import.meta.dirname, 'standing-library.cpp');
    library = await buildPreloadedLibrary(source, 'standing');
  });
  afterAll(() => Promise.all([model, library].map((path) => rm(path, { force: true }))));

  test('are no frequency, and the reason is said', async () => {
    if (backend.state === 'missing') throw new Error(backend.what);
    const treatment = {
      ...noTreatment,
      readings: ['frequency'],
      activity: { kind: 'integer-work', milliseconds: 2 },
    };
    const trial = { ...createTrial(model), formatVersion: 2, treatment };
    const { lines } = await runRunner(backend.prepared, trial, { LD_PRELOAD: library });
    const report = (lines[0] as LoadLine).treatment!;
    expect(report.mperfHertz).toBeNull();
    expect(report.readings.frequency).toEqual({
      notMeasured: expect.stringMatching(/^registers of \/dev\/cpu\/\*\/msr do not advance; perf/),
    });
    const repetitions = lines.filter((line): line is RepetitionLine => line.type === 'repetition');
    expect(repetitions).toHaveLength(2);
    for (const { counters, activity } of repetitions) {
      expect(counters).toEqual({});
      expect(activity).not.toHaveProperty('sliceAperf');
    }
  });
});
