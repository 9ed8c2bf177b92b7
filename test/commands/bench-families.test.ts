import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import { estimateMemory } from '../../src/gguf/memory-need.ts';
import { openModelFile } from '../../src/gguf/open-model-file.io.ts';
import { bert, t5 } from '../support/encoder-models.ts';
import { familyModels } from '../support/family-models.ts';
import { encodeRandomModel, encodeSplitModel, type RandomModel } from '../support/random-gguf.ts';
import { findRealBackend } from '../support/real-backend.ts';
import { type Workspace, workIn } from '../support/rooflaw.ts';

/** What is shown of each, worked out from the tensors by hand. */
const shown: Record<keyof typeof familyModels, [type: string, parameters: number, bytes: number]> =
  {
    mamba: ['mamba 0.1M F32', 75_712, 302_848],
    mamba2: ['mamba2 0.1M F32', 64_024, 256_096],
    rwkv7: ['rwkv7 0.1M F32', 76_416, 305_664],
    deepseek2: ['deepseek2 0.1M F32', 92_864, 371_456],
    guessing: ['deepseek2 0.1M F32', 148_736, 594_944],
    qwen3moe: ['qwen3moe 0.1M F32', 91_072, 364_288],
    qwen2: ['qwen2 0.1M F32', 57_920, 231_680],
    gemma: ['gemma 0.1M F32', 82_240, 328_960],
    gpt2: ['gpt2 0.1M F32', 91_520, 366_080],
    'k-quants': ['llama 0.9M Q4_K_M', 853_248, 543_488],
    'qwen3-embedding': ['qwen3 0.1M F32', 57_792, 231_168],
    cohere2: ['cohere2 0.1M F32', 106_816, 427_264],
    jamba: ['jamba 0.1M F32', 79_080, 316_320],
  };
const names = Object.keys(shown) as (keyof typeof familyModels)[];
const parts = [1, 2, 3].map((part) => `split-0000${part}-of-00003.gguf`);

/** A workspace with some of the families in files of their names. */
function withModels(models: Record<string, RandomModel>): Workspace {
  const work = workIn();
  for (const [name, model] of Object.entries(models)) {
    writeFileSync(join(work.folder, `${name}.gguf`), encodeRandomModel(model, name));
  }
  return work;
}

const quick = '-t 1 --processes 2 --warmup 0 --kept 1'.split(' ');
const listed = (some: readonly string[]) => ['-m', some.map((name) => `${name}.gguf`).join(',')];
const entriesOf = (work: Workspace, name: string): LedgerEntry[] =>
  readFileSync(join(work.folder, 'campaigns', name, 'ledger.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const countOf = (work: Workspace, name: string, type: LedgerEntry['type']) =>
  entriesOf(work, name).filter((entry) => entry.type === type).length;

test('what cannot decode token by token is refused, and it is said why', async () => {
  const work = withModels({ bert, t5 });
  const { status, stdout, stderr } = await work.run(['bench', ...listed(['bert', 't5'])]);
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('2 of 2 files cannot be measured');
  expect(stderr).toMatch(/bert\.gguf, metadata "bert\.attention\.causal": is false: .*no decode/);
  expect(stderr).toMatch(/t5\.gguf, .*"t5" decodes only what an encoder .* has read before/);
  expect(stderr).toContain('try: name a model that makes text token by token');
  expect(existsSync(join(work.folder, 'campaigns'))).toBe(false);
});

const real = await findRealBackend();
const reason = real.state === 'ready' ? '' : ` (skipped: ${real.what})`;
describe.skipIf(real.state !== 'ready')(`families on real llama.cpp${reason}`, () => {
  test('every one is measured in prefill and decode, and shown as it is', {
    timeout: 180_000,
  }, async () => {
    const work = withModels(familyModels);
    for (const [index, bytes] of encodeSplitModel(familyModels.qwen2, 'split', 3).entries()) {
      writeFileSync(join(work.folder, parts[index]!), bytes);
    }
    const models = [...listed(names), '-m', parts[1]!];
    const tests = '-p 16 -n 4 -o json --name all'.split(' ');
    const run = await work.run(['bench', ...models, ...tests, ...quick]);
    expect(run.status).toBe(0);
    expect(countOf(work, 'all', 'observed')).toBe(14 * 2 * 2);
    expect(countOf(work, 'all', 'failed')).toBe(0);

    const rows: Record<string, unknown>[] = JSON.parse(run.stdout);
    expect(rows).toHaveLength(14 * 2);
    const ofFiles = Map.groupBy(rows, (row) => row.model_filename);
    const expected = { ...shown, [parts[1]!.replace('.gguf', '')]: shown.qwen2 }; // as typed
    expect(ofFiles.size).toBe(14);
    for (const [name, [type, parameters, bytes]] of Object.entries(expected)) {
      const own = ofFiles.get(`${name}.gguf`) ?? [];
      expect(own).toHaveLength(2);
      for (const row of own) {
        expect([row.model_type, row.model_n_params, row.model_size]).toEqual([
          type,
          parameters,
          bytes,
        ]);
      }
    }
    expect(run.stderr).toContain(
      'qwen3moe.gguf: Tiny qwen3moe, qwen3moe F32, 91,072 parameters in 2 layers, 4 experts of which 2 are used, 367 kB',
    );
    expect(run.stderr).toMatch(
      /Tiny qwen2, qwen2 F32, 57,920 parameters in 2 layers, .* in 3 parts/,
    );
  });

  test('at a depth the cache is restored; flash attention is there where there is attention', {
    timeout: 180_000,
  }, async () => {
    const work = withModels(familyModels);
    const { mamba, mamba2, rwkv7, ...others } = familyModels;
    const restored = '--protocol bench-restored -p 16 -n 4 -d 32'.split(' ');
    const flash = ['bench', ...listed(Object.keys(others)), ...restored, ...quick, '-fa', '1'];
    expect(await work.run([...flash, '--name', 'flash'])).toMatchObject({ status: 0 });
    expect(countOf(work, 'flash', 'failed')).toBe(0);
    const applied = entriesOf(work, 'flash').flatMap((entry) =>
      entry.type === 'observed' ? [entry.load?.applied.flashAttention] : [],
    );
    expect(applied).toEqual(Array.from({ length: 10 * 2 * 2 }, () => 'on'));

    const states = ['bench', ...listed(['mamba', 'mamba2', 'rwkv7']), ...restored, ...quick];
    expect(await work.run([...states, '--name', 'states'])).toMatchObject({ status: 0 });
    expect(countOf(work, 'states', 'observed')).toBe(3 * 2 * 2);
  });

  test('a family without attention says what it cannot take', { timeout: 60_000 }, async () => {
    const work = withModels({ mamba: familyModels.mamba });
    const without = '-fa 1 -ctk q8_0 -p 16 -n 0'.split(' ');
    const refused = await work.run(['bench', ...listed(['mamba']), ...without, ...quick]);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain(
      'flashAttention: asked on, got off, as this model has no attention; kvTypeK: asked q8_0, got none, as this model has no attention',
    );
  });

  test('what llama.cpp refuses is said in its words; what it would not survive is not begun', {
    timeout: 60_000,
  }, async () => {
    // Without what says that it is an encoder; in a family whose name does not say it.
    const { 'bert.attention.causal': _, ...pairs } = bert.pairs;
    const { deepseek2, gpt2 } = familyModels;
    const work = withModels({ deepseek2, gpt2, bert: { ...bert, pairs } });
    const types = '-ctk q8_0 -p 16 -n 0 --name types'.split(' ');
    const refused = await work.run(['bench', ...listed(['deepseek2']), ...types, ...quick]);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain(
      'model does not support different K (q8_0) and V (f16) cache types',
    );
    const longer = '-p 16 -n 0 -d 500'.split(' ');
    const beyond = await work.run(['bench', ...listed(['gpt2']), ...longer, ...quick]);
    expect(beyond.status).toBe(2);
    expect(beyond.stderr).toContain(
      'gpt2.gguf: has learned positions for 512 tokens, where 516 are asked for',
    );
    const encoder = await work.run(['bench', ...listed(['bert']), '-p', '16', '-n', '0', ...quick]);
    expect(encoder.status).not.toBe(0);
    expect(encoder.stderr).toContain(
      'this model keeps nothing from one decode to the next (an encoder?): that is not measured',
    );
  });

  test('the cache takes what its estimate says, or the estimate says that it does not know', {
    timeout: 60_000,
  }, async () => {
    const work = withModels(familyModels);
    const long = '-p 16 -n 0 -d 1008 --name long'.split(' ');
    const some = ['mamba', 'deepseek2', 'gemma', 'cohere2', 'jamba'] as const;
    const run = await work.run(['bench', ...listed(some), ...long, ...quick]);
    expect(run.status).toBe(0);

    const allocated = new Map<string, number>();
    const entries = entriesOf(work, 'long');
    for (const entry of entries) {
      if (entry.type !== 'observed') continue;
      const intended = entries.find(
        (other) => other.type === 'intended' && other.trial === entry.trial,
      );
      if (intended?.type !== 'intended') throw new Error('observed, and not intended');
      const sizes = entry.load!.applied.kvBuffers.map(({ mebibytes }) => mebibytes);
      allocated.set(
        intended.item.architecture,
        sizes.reduce((sum, size) => sum + size, 0),
      );
    }
    // Of 1024 tokens in F16, by hand; llama.cpp prints two digits.
    expect(Object.fromEntries(allocated)).toEqual({
      mamba: 0,
      deepseek2: 0.19, // 2 layers x (32 + 16), no values: 196,608 bytes
      gemma: 0.5, // 2 x (64 + 64)
      cohere2: 0.4, // 1 layer x (32 + 32), 3 that keep 768 tokens: 131,072 and 294,912 bytes
      jamba: 0.12, // 1 layer of 2 x (32 + 32): 131,072 bytes
    });
    const conditions = {
      contextSize: 1024,
      kvTypeK: 'F16',
      kvTypeV: 'F16',
      batch: 2048,
      ubatch: 512,
      flashAttention: 'off',
      swaFull: false,
    } as const;
    const estimates = await Promise.all(
      some.map(async (name) => {
        const facts = await openModelFile(join(work.folder, `${name}.gguf`));
        return [name, estimateMemory(facts, conditions).kvBytes];
      }),
    );
    expect(Object.fromEntries(estimates)).toEqual({
      mamba: null,
      deepseek2: 196_608,
      gemma: 524_288,
      cohere2: null,
      jamba: 131_072,
    });
  });
});
