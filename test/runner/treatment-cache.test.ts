import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noTreatment, type Treatment } from '../../src/formats/treatment.ts';
import type { PlainTrial } from '../../src/formats/trial.ts';
import { familyModels } from '../support/family-models.ts';
import { writeOtherMemoryModel } from '../support/other-memory-models.ts';
import { buildPreloadedLibrary, canPreload } from '../support/preloaded-library.ts';
import { encodeRandomModel } from '../support/random-gguf.ts';
import {
  createTrial,
  findRealBackend,
  runRunner,
  testCache,
  writeTinyModel,
} from '../support/real-backend.ts';

const backend = await findRealBackend();

/** One call of llama_decode: its tokens, how long the sequence is after it, and its logits. */
interface Call {
  tokens: number[];
  length: number;
  logits: string;
}

const treat = (model: string, treatment: Partial<Treatment>, changes: Partial<PlainTrial> = {}) => {
  if (backend.state === 'missing') throw new Error(backend.what);
  const whole = { ...noTreatment, ...treatment };
  const trial = { ...createTrial(model, changes), formatVersion: 2, treatment: whole };
  return { prepared: backend.prepared, trial };
};
const decode = { activity: { kind: 'decode', milliseconds: 3 } } as const;

describe.skipIf(backend.state === 'missing' || !canPreload)('a decode before the timer', () => {
  const recordFile = join(testCache, `record-treated-${process.pid}.ndjson`);
  let model: string;
  let library: string;
  beforeAll(async () => {
    model = await writeTinyModel('F16');
    const source = join(import.meta.dirname, 'recording-library.cpp');
    library = await buildPreloadedLibrary(source, 'recording-treated');
  });
  afterAll(() =>
    Promise.all([model, library, recordFile].map((path) => rm(path, { force: true }))),
  );

  const record = async (
    treatment: Partial<Treatment>,
    changes: Partial<PlainTrial>,
  ): Promise<Call[]> => {
    const { prepared, trial } = treat(model, treatment, changes);
    const environment = { LD_PRELOAD: library, RECORD: recordFile };
    const { exitStatus, lines } = await runRunner(prepared, trial, environment);
    if (exitStatus !== 0) throw new Error(JSON.stringify(lines.at(-1)));
    const calls = readFileSync(recordFile, 'utf8').trimEnd().split('\n');
    return calls.map((line): Call => JSON.parse(line));
  };

  test.each<[name: string, changes: Partial<PlainTrial>, timedLengths: number[]]>([
    ['decode', {}, [13, 14, 15]],
    ['decode from a copy of the cache', { cachePreparation: 'restore' }, [13, 14, 15]],
    ['decode of an empty cache', { sequenceLength: 0, contextSize: 3 }, [1, 2, 3]],
    ['prefill', { phase: 'prefill', contextSize: 12 }, [8, 12]],
    ['prefill behind a depth', { phase: 'prefill', depth: 6, contextSize: 18 }, [14, 18]],
  ])('changes no bit of what a %s computes', async (_, changes, timedLengths) => {
    const plain = await record({}, changes);
    const treated = await record(decode, changes);
    expect(treated.length).toBeGreaterThan(plain.length);
    const timed = treated.slice(-timedLengths.length);
    expect(timed.map(({ length }) => length)).toEqual(timedLengths);
    expect(timed).toEqual(plain.slice(-timedLengths.length));
  });

  test.each<[name: string, changes: Partial<PlainTrial>, tokensBefore: number]>([
    ['two tokens where a prefill is due', {}, 2],
    ['a step where the prefill ends with one token', { sequenceLength: 9, contextSize: 12 }, 1],
    ['a step where nothing is prefilled', { sequenceLength: 0, contextSize: 3 }, 1],
    ['a step behind a copy of the cache', { cachePreparation: 'restore' }, 1],
  ])('ends as an untreated trial begins to time: %s', async (_, changes, tokensBefore) => {
    const treated = await record(decode, changes);
    expect(treated.at(-4)!.tokens).toHaveLength(tokensBefore); // three steps are timed
  });

  test('stays in the room that the timed tokens have', async () => {
    const treated = await record(decode, { contextSize: 400 });
    expect(Math.max(...treated.map(({ length }) => length))).toBe(15);
  });
});

describe.skipIf(backend.state === 'missing')('a decode before the timer, of another memory', () => {
  const models = new Map<string, string>();
  beforeAll(() => {
    models.set('a sliding window', writeOtherMemoryModel('sliding-window'));
    models.set('layers with a state', writeOtherMemoryModel('recurrent-and-attention'));
    const mamba = join(testCache, 'models', `treated-mamba-${process.pid}.gguf`);
    writeFileSync(mamba, encodeRandomModel(familyModels.mamba, 'mamba'));
    models.set('nothing but a state', mamba);
  });
  afterAll(() => Promise.all([...models.values()].map((path) => rm(path, { force: true }))));

  test.each(['a sliding window', 'layers with a state', 'nothing but a state'])(
    'is refused: %s cannot go back',
    async (name) => {
      const path = models.get(name)!;
      const refused = treat(path, decode);
      const { lines, exitStatus } = await runRunner(refused.prepared, refused.trial);
      expect([exitStatus, lines.at(-1)]).toEqual([
        4,
        {
          type: 'failure',
          code: 'setting-not-taken',
          message:
            "treatment.activity: a decode cannot be taken back out of this model's cache, which is no plain one",
        },
      ]);
      const work = treat(path, { activity: { kind: 'integer-work', milliseconds: 1 } });
      expect((await runRunner(work.prepared, work.trial)).exitStatus).toBe(0);
    },
  );
});
