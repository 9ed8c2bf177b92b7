import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlainTrial } from '../../src/formats/trial.ts';
import { buildPreloadedLibrary, canPreload } from '../support/preloaded-library.ts';
import {
  createTrial,
  findRealBackend,
  runRunner,
  writeTinyModel,
} from '../support/real-backend.ts';

const backend = await findRealBackend();

describe.skipIf(backend.state === 'missing' || !canPreload)(
  'a llama.cpp that does not do what it is asked',
  () => {
    let model: string;
    let library: string;

    beforeAll(async () => {
      model = await writeTinyModel('Q4_0');
      const source = join(import.meta.dirname, 'lying-library.cpp');
      library = await buildPreloadedLibrary(source, 'lying-library');
    });
    afterAll(() => Promise.all([model, library].map((path) => rm(path, { force: true }))));

    const runWithLie = async (lie: string, changes: Partial<PlainTrial> = {}) => {
      if (backend.state === 'missing') throw new Error(backend.what);
      const environment = { LD_PRELOAD: library, LIE: lie };
      return runRunner(backend.prepared, createTrial(model, changes), environment);
    };

    test('does no harm when it does not lie', async () => {
      const { lines, exitStatus } = await runWithLie('');
      expect(exitStatus).toBe(0);
      expect(lines).toHaveLength(4);
    });

    test.each<[lie: string, message: string | RegExp, changes: Partial<PlainTrial>]>([
      ['flash attention', 'flashAttention: asked off, got on', {}],
      ['cache type', 'kvTypeK: asked f16, got q8_0', {}],
      ['batch sizes', 'batch: asked 8, got 2; ubatch: asked 4, got 2', {}],
      ['threads', 'threads: asked 1, got 2', {}],
      ['unified', 'kvUnified: asked false, got true', {}],
      ['load mode', 'loadMode: asked a mapped file, got no mapped file', {}],
      [
        'extra buffers',
        /^extraBufferTypes: asked none, got (CPU_REPACK|AMX)$/, // which of them, the processor decides
        { extraBufferTypes: false },
      ],
    ])('%s: the trial fails and says so', async (lie, message, changes) => {
      const { lines, exitStatus } = await runWithLie(lie, changes);
      const words = typeof message === 'string' ? message : expect.stringMatching(message);
      expect(lines).toEqual([{ type: 'failure', code: 'setting-not-taken', message: words }]);
      expect(exitStatus).toBe(4);
    });

    test('what it prints to standard output reaches standard error, not the results', async () => {
      const { lines, exitStatus, stderr } = await runWithLie('prints');
      expect(exitStatus).toBe(0);
      expect(lines.map((line) => line.type)).toEqual(['load', 'repetition', 'repetition', 'end']);
      expect(stderr).toContain('{"type":"repetition","index":0,"wallNs":1,"prepareNs":1}');
    });

    test('a decode that fails ends the trial after the repetitions that came before', async () => {
      const { lines, exitStatus } = await runWithLie('decode');
      expect(lines.map((line) => line.type)).toEqual(['load', 'repetition', 'failure']);
      expect(lines.at(-1)).toMatchObject({
        code: 'decode-failed',
        message: 'llama_decode returned 1 in the prefill before decode',
      });
      expect(exitStatus).toBe(5);
    });

    test.each<[lie: string, message: RegExp]>([
      ['saves nothing', /^cachePreparation: asked restore, got 0 of [1-9]\d* bytes saved$/],
      ['refuses to restore', /^cachePreparation: asked restore, got 0 of [1-9]\d* bytes restored$/],
      ['restores nothing', /^tokens in the cache after a repetition: asked 15, got 3$/],
    ])('a cache that is not as it was asked for ends the trial: %s', async (lie, message) => {
      const { lines, exitStatus } = await runWithLie(lie, { cachePreparation: 'restore' });
      expect(lines.at(-1)).toEqual({
        type: 'failure',
        code: 'setting-not-taken',
        message: expect.stringMatching(message),
      });
      expect(exitStatus).toBe(4);
    });

    test('a logit that is not a number ends the trial', async () => {
      const { lines, exitStatus } = await runWithLie('logits');
      expect(lines.at(-1)).toEqual({
        type: 'failure',
        code: 'invalid-logits',
        message: 'the logit of token 5 is not finite',
      });
      expect(exitStatus).toBe(5);
    });
  },
);
