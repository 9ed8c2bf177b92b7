import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Architecture } from '../../src/formats/architecture.ts';
import { hashModel, writeModel } from '../../src/gguf/write-model.io.ts';
import { createFolder, tiny, wide } from './small-model.ts';

/** Frozen with generator version 1: these files never change. */
const golden = [
  {
    architecture: tiny,
    quantization: 'F16',
    weightSeed: 1,
    sha256: '89cc1fe45f7592251a39721a728f9d1c40a361dd0e06aac5c1397512257ff481',
  },
  {
    architecture: tiny,
    quantization: 'Q4_0',
    weightSeed: 2,
    sha256: 'b85b5ebfebeeee7456e1a5ef6e4e20f8709a1cc60511f4102ad1a7cc1cce6bcb',
  },
  {
    architecture: wide,
    quantization: 'Q8_0',
    weightSeed: 3,
    sha256: '27c53a7b6e021f728051aceb4b70fdf72c07f8d7b7c14e53f70679758d135e72',
  },
] as const;

describe('a written model', () => {
  test.each(golden)(
    '$architecture.name $quantization has its golden hash for any number of workers',
    async ({ sha256, ...model }) => {
      const path = join(createFolder(), 'model.gguf');
      for (const workers of [1, 2, 3]) {
        const written = await writeModel({ ...model, workers, path });
        const bytes = readFileSync(path);
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
        expect(written).toEqual({ sha256, bytes: bytes.length });
      }
    },
  );

  test('has the hash that is worked out without a file', async () => {
    const path = join(createFolder(), 'model.gguf');
    const model = { architecture: tiny, quantization: 'Q8_0', weightSeed: 7 } as const;
    expect(await hashModel(model)).toEqual(await writeModel({ ...model, path }));
  });

  test('differs by seed, and not by the name of its architecture', async () => {
    const hash = async (architecture: Architecture, weightSeed: number) =>
      (await hashModel({ architecture, quantization: 'F16', weightSeed })).sha256;
    const [first, renamed, reseeded] = [
      await hash(tiny, 1),
      await hash({ ...tiny, name: 'other' }, 1),
      await hash(tiny, 2),
    ];
    expect(renamed).toBe(first);
    expect(reseeded).not.toBe(first);
  });

  test('reports its progress up to its size', async () => {
    const calls: number[][] = [];
    const { bytes } = await hashModel({
      architecture: tiny,
      quantization: 'F16',
      weightSeed: 1,
      onProgress: (done, total) => calls.push([done, total]),
    });
    expect(calls.at(-1)).toEqual([bytes, bytes]);
    expect(calls.every(([done], index) => index === 0 || done! > calls[index - 1]![0]!)).toBe(true);
  });
});

describe('when writing fails', () => {
  const model = { architecture: tiny, quantization: 'F16', weightSeed: 1 } as const;

  test('an aborted one leaves the old file and no other', async () => {
    const folder = createFolder();
    const path = join(folder, 'model.gguf');
    writeFileSync(path, 'old');
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    await expect(
      writeModel({ ...model, path, onProgress, signal: stop.signal }),
    ).rejects.toMatchObject({ code: 'interrupted' });
    expect(readdirSync(folder)).toEqual(['model.gguf']);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  test('an unexpected hash leaves the old file and no other', async () => {
    const folder = createFolder();
    const path = join(folder, 'model.gguf');
    writeFileSync(path, 'old');
    await expect(
      writeModel({ ...model, path, expectedSha256: '0'.repeat(64) }),
    ).rejects.toMatchObject({ code: 'model-mismatch' });
    expect(readdirSync(folder)).toEqual(['model.gguf']);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  test('a missing folder is named', async () => {
    const path = join(createFolder(), 'missing', 'model.gguf');
    await expect(writeModel({ ...model, path })).rejects.toMatchObject({
      code: 'not-writable',
      message: expect.stringContaining('missing'),
      hint: expect.stringContaining('XDG_CACHE_HOME'),
    });
  });

  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'a folder that may not be written is named (skipped for root, who may, and on Windows)',
    async () => {
      const folder = join(createFolder(), 'closed');
      mkdirSync(folder);
      chmodSync(folder, 0o500);
      const path = join(folder, 'model.gguf');
      await expect(writeModel({ ...model, path })).rejects.toMatchObject({ code: 'not-writable' });
    },
  );

  test('a disk that is too small is told before a byte is written', async () => {
    const folder = createFolder();
    const huge = { ...tiny, headDim: 1024, headCount: 1024, kvHeadCount: 1024, layerCount: 1024 };
    const path = join(folder, 'model.gguf');
    await expect(writeModel({ ...model, architecture: huge, path })).rejects.toMatchObject({
      code: 'no-space',
      message: expect.stringMatching(
        /^a model needs \d+\.\d\d GB in .*, where \d+\.\d\d GB are free$/,
      ),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('every fault of an unsound architecture is named', async () => {
    const unsound = { ...tiny, headDim: 33, kvHeadCount: 2 };
    const path = join(createFolder(), 'model.gguf');
    const writing = writeModel({ ...model, architecture: unsound, path });
    await expect(writing).rejects.toMatchObject({ code: 'invalid-input' });
    const { faults } = await writing.catch((error) => error);
    expect(new Set(faults.map((fault: { where: string }) => fault.where))).toEqual(
      new Set(['architecture.headDim', 'architecture.kvHeadCount']),
    );
    expect(existsSync(path)).toBe(false);
  });
});
