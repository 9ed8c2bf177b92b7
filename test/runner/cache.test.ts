import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

/** One call of llama_decode. */
interface Call {
  tokens: number[];
  /** Of the sequence, after it. */
  length: number;
  /** The first of the last token's logits, and a hash of every bit of all of them. */
  logit: number;
  logits: string;
}

/** The runner looks at the graph in two calls, of a batch and of one token, before it measures. */
const untimedCalls = 2;

describe.skipIf(backend.state === 'missing' || !canPreload)('what llama.cpp computes', () => {
  const recordFile = join(testCache, `record-${process.pid}.ndjson`);
  const models = new Map<string, string>();
  let library: string;

  beforeAll(async () => {
    models.set('attention', await writeTinyModel('F16'));
    models.set('sliding window', writeOtherMemoryModel('sliding-window'));
    models.set('recurrent state', writeOtherMemoryModel('recurrent-and-attention'));
    for (const family of ['mamba', 'rwkv7', 'deepseek2'] as const) {
      const path = join(testCache, 'models', `cache-${family}-${process.pid}.gguf`);
      writeFileSync(path, encodeRandomModel(familyModels[family], family));
      models.set(family, path);
    }
    const source = join(import.meta.dirname, 'recording-library.cpp');
    library = await buildPreloadedLibrary(source, 'recording-library');
  });
  afterAll(() =>
    Promise.all([...models.values(), library, recordFile].map((path) => rm(path, { force: true }))),
  );

  const record = async (changes: Partial<PlainTrial>, model = 'attention'): Promise<Call[]> => {
    if (backend.state === 'missing') throw new Error(backend.what);
    const environment = { LD_PRELOAD: library, RECORD: recordFile };
    const trial = createTrial(models.get(model) ?? '', changes);
    const { exitStatus, lines } = await runRunner(backend.prepared, trial, environment);
    if (exitStatus !== 0) throw new Error(JSON.stringify(lines.at(-1)));
    const calls = readFileSync(recordFile, 'utf8').trimEnd().split('\n');
    return calls.slice(untimedCalls).map((line) => JSON.parse(line));
  };
  const lengths = (calls: readonly Call[]) => calls.map(({ length }) => length);
  const tokens = (calls: readonly Call[]) => calls.flatMap((call) => call.tokens);

  test('a depth is there before a prefill, which goes on behind it', async () => {
    const prefill = { phase: 'prefill', batch: 4, repetitions: 1, contextSize: 13 } as const;
    const whole = await record({ ...prefill, depth: 0, sequenceLength: 13 });
    const split = await record({ ...prefill, depth: 6, sequenceLength: 7 });
    expect(lengths(whole)).toEqual([4, 8, 12, 13]);
    expect(lengths(split)).toEqual([4, 6, 10, 13]); // 6 in batches, then 7 in batches
    // splitmix64 from 7, modulo 128: worked out apart
    const expected = [87, 28, 2, 75, 90, 17, 118, 126, 97, 105, 107, 44, 78];
    expect(tokens(whole)).toEqual(expected);
    expect(tokens(split)).toEqual(expected);
  });

  test('what is prefilled behind a depth attends to it', async () => {
    const prefill = { phase: 'prefill', batch: 4, repetitions: 1, contextSize: 12 } as const;
    const whole = await record({ ...prefill, depth: 0, sequenceLength: 12 });
    const split = await record({ ...prefill, depth: 8, sequenceLength: 4 });
    expect(split).toEqual(whole); // the same batches, so the same in every bit
    const alone = await record({ ...prefill, depth: 0, sequenceLength: 4 });
    expect(alone[0]?.logits).toBe(whole[0]?.logits);
    expect(split.at(-1)?.logits).not.toBe(whole[0]?.logits);
  });

  test('a decode at 0 begins on an empty cache in every repetition', async () => {
    for (const cachePreparation of ['compute', 'restore'] as const) {
      const calls = await record({ sequenceLength: 0, contextSize: 3, cachePreparation });
      expect(lengths(calls)).toEqual([1, 2, 3, 1, 2, 3]);
      expect(tokens(calls)).toEqual([87, 28, 2, 87, 28, 2]);
      expect(calls.slice(3)).toEqual(calls.slice(0, 3));
    }
  });

  test('computing fills the cache before every repetition, restoring once', async () => {
    const decode = { sequenceLength: 12, batch: 8, repetitions: 3 };
    expect(lengths(await record({ ...decode, cachePreparation: 'compute' }))).toEqual([
      ...[8, 12, 13, 14, 15],
      ...[8, 12, 13, 14, 15],
      ...[8, 12, 13, 14, 15],
    ]);
    expect(lengths(await record({ ...decode, cachePreparation: 'restore' }))).toEqual([
      ...[8, 12, 13, 14, 15],
      ...[13, 14, 15],
      ...[13, 14, 15],
    ]);
  });

  // A window of 64 has 256 cells: after 192 timed tokens those that it began with are overwritten.
  const long = { batch: 32, ubatch: 16, contextSize: 620, repetitions: 2 };
  const decode = { ...long, phase: 'decode', sequenceLength: 400, decodeSteps: 220 } as const;
  const prefill = { ...long, phase: 'prefill', depth: 400, sequenceLength: 220 } as const;

  /** The calls behind the prepared tokens. */
  const timed = async (
    changes: Partial<PlainTrial>,
    cachePreparation: PlainTrial['cachePreparation'],
    model: string,
  ) => {
    const calls = await record({ ...changes, cachePreparation }, model);
    return calls.filter(({ length }) => length > 400);
  };

  test.each<[model: string, flashAttention: PlainTrial['flashAttention']]>([
    ['attention', 'off'],
    ['attention', 'on'],
    ['recurrent state', 'off'],
    ['recurrent state', 'on'],
    ['mamba', 'off'],
    ['rwkv7', 'off'],
    ['deepseek2', 'off'],
    ['deepseek2', 'on'],
  ])(
    '%s, flash attention %s: restored is computed, in every bit',
    async (model, flashAttention) => {
      for (const phase of [decode, prefill]) {
        const computed = await timed({ ...phase, flashAttention }, 'compute', model);
        expect(new Set(computed.map(({ logits }) => logits)).size).toBe(computed.length / 2);
        expect(await timed({ ...phase, flashAttention }, 'restore', model)).toEqual(computed);
      }
    },
  );

  // Not in every bit: the same tokens lie in other cells of the ring, and are summed in that order.
  test.each(['off', 'on'] as const)(
    'sliding window, flash attention %s: restored is computed, but for roundings',
    async (flashAttention) => {
      for (const phase of [decode, prefill]) {
        const changes = { ...phase, flashAttention };
        const computed = await timed(changes, 'compute', 'sliding window');
        const restored = await timed(changes, 'restore', 'sliding window');
        expect(lengths(restored)).toEqual(lengths(computed));
        const differences = computed.map(({ logit }, at) => Math.abs(logit - restored[at]!.logit));
        expect(Math.max(...differences)).toBeLessThan(0.05); // of logits of about 1
      }
    },
  );
});
