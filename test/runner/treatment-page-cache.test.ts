import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noTreatment, type Treatment } from '../../src/formats/treatment.ts';
import type { LoadLine } from '../../src/formats/trial.ts';
import { buildPreloadedLibrary, canPreload } from '../support/preloaded-library.ts';
import {
  createTrial,
  findRealBackend,
  runRunner,
  testCache,
  writeTinyModel,
} from '../support/real-backend.ts';

const backend = await findRealBackend();
const secondNs = 1e9;

describe.skipIf(backend.state === 'missing' || !canPreload)(
  'a model’s file in the page cache',
  () => {
    let model: string;
    let library: string;
    let folder: string;
    beforeAll(async () => {
      model = await writeTinyModel('Q4_0');
      library = await buildPreloadedLibrary(
        join(import.meta.dirname, 'page-cache-library.cpp'),
        'page-cache',
      );
      folder = mkdtempSync(join(testCache, 'parts-'));
    });
    afterAll(async () => {
      await Promise.all([model, library].map((path) => rm(path, { force: true })));
      rmSync(folder, { recursive: true, force: true });
    });

    const treat = async (
      pageCache: Treatment['pageCache'],
      environment: Record<string, string> = {},
      path = model,
    ) => {
      if (backend.state === 'missing') throw new Error(backend.what);
      const treatment = { ...noTreatment, pageCache };
      const trial = { ...createTrial(path), formatVersion: 2, treatment };
      const start = process.hrtime.bigint();
      const result = await runRunner(backend.prepared, trial, {
        LD_PRELOAD: library,
        ...environment,
      });
      return { ...result, elapsedNs: Number(process.hrtime.bigint() - start) };
    };

    test('is not said to be there where the system tells a stranger nothing', async () => {
      const { lines, exitStatus } = await treat('warm', { FOREIGN_FILES: '1' });
      expect(exitStatus).toBe(0);
      expect((lines[0] as LoadLine).treatment!.residentShare).toBeNull();
    });

    test('is dropped before loading, and how long that takes is no part of loading', async () => {
      const { lines, elapsedNs } = await treat('dropped', { SLOW_DROP: '1' });
      expect((lines[0] as LoadLine).loadNs).toBeLessThan(elapsedNs - secondNs);
    });

    test('is dropped with all parts of a model in parts, and no other file', async () => {
      const parts = [1, 2, 3].map((part) => join(folder, `whole-0000${part}-of-00003.gguf`));
      await copyFile(model, parts[0]!); // llama.cpp goes by what the file says, and it is whole
      await Promise.all([parts[1]!, parts[2]!].map((path) => writeFile(path, 'weights')));
      const droppedBy = async (path: string) => {
        const { stderr, exitStatus } = await treat('dropped', {}, path);
        expect(exitStatus).toBe(0);
        return [...stderr.matchAll(/^dropped (.*)$/gm)].map(([, name]) => name);
      };
      expect(await droppedBy(parts[0]!)).toEqual(parts);
      expect(await droppedBy(model)).toEqual([model]);
    });

    test('is read or dropped by nobody who was not asked to', async () => {
      expect((await treat('as-is')).stderr).not.toContain('dropped');
      expect((await treat('warm')).stderr).not.toContain('dropped');
    });
  },
);
