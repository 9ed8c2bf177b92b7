import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gguf } from '@huggingface/gguf';
import { describe, expect, test } from 'vitest';
import { RooflawError } from '../../src/errors.ts';
import { openModelFile } from '../../src/gguf/open-model-file.io.ts';
import { writeModel } from '../../src/gguf/write-model.io.ts';
import { createRandom } from '../../src/random.ts';
import { encodeFile, llamaPairs, type RawFile, type Value } from './gguf-bytes.ts';
import { createFolder, tiny } from './small-model.ts';

async function errorOf(path: string): Promise<RooflawError> {
  const error = await openModelFile(path).then(
    () => new Error('the file was read'),
    (thrown) => thrown,
  );
  if (!(error instanceof RooflawError)) throw error;
  return error;
}

/** Every fault with its place, and the error's own words first. */
async function wordsOf(path: string): Promise<string[]> {
  const { message, hint, faults } = await errorOf(path);
  for (const fault of [{ hint: hint ?? faults[0]?.hint }, ...faults])
    expect(fault.hint).toMatch(/\w{3}/);
  return [message, ...faults.map(({ where, what }) => `${where}: ${what}`)];
}

async function writeTiny(folder = createFolder(), quantization: 'F16' | 'Q4_0' = 'Q4_0') {
  const path = join(folder, 'tiny.gguf');
  await writeModel({ architecture: tiny, quantization, weightSeed: 3, path });
  return path;
}

describe('a sound file', () => {
  test('one of our own generator', async () => {
    const path = await writeTiny();
    // 21 tensors: 151,392 parameters, 480 of them in F32, the rest in blocks of 32 in 18 bytes
    expect(await openModelFile(path)).toEqual({
      file: 'tiny.gguf',
      parts: [{ name: 'tiny.gguf', bytes: 88_864 }],
      paths: [path],
      family: 'llama',
      title: null,
      quantization: 'Q4_0',
      layerCount: 2,
      contextLength: 131_072,
      embeddingLength: 96,
      headCount: 3,
      kvHeadCount: 1,
      kvHeadsOfAllLayers: 2,
      keepsValues: true,
      slidingWindow: null,
      keyLength: 32,
      valueLength: 32,
      vocabularySize: 50,
      positionCount: null,
      expertCount: null,
      expertUsedCount: null,
      parameterCount: 151_392,
      weightBytes: 86_808,
      // embedding and output 50 x 96 in 2,700 bytes each, and 384 of the output's norm
      layerBytes: [(86_808 - 2 * 2700 - 384) / 2, (86_808 - 2 * 2700 - 384) / 2],
      inputBytes: 2700,
      tensorCount: 21,
      fileBytes: 88_864,
    });
  });

  test.each(['F16', 'Q4_0'] as const)('as an independent reader sees it, in %s', async (type) => {
    const path = await writeTiny(createFolder(), type);
    const facts = await openModelFile(path);
    const read = await gguf(path, { allowLocalFile: true, computeParametersCount: true });
    const metadata = read.metadata as unknown as Record<string, unknown>;
    expect(facts.parameterCount).toBe(read.parameterCount);
    expect(facts.tensorCount).toBe(Number(metadata.tensor_count));
    expect(facts.family).toBe(metadata['general.architecture']);
    expect([
      facts.layerCount,
      facts.contextLength,
      facts.embeddingLength,
      facts.headCount,
      facts.kvHeadCount,
      facts.keyLength,
      facts.valueLength,
      facts.vocabularySize,
    ]).toEqual(
      [
        'block_count',
        'context_length',
        'embedding_length',
        'attention.head_count',
        'attention.head_count_kv',
        'attention.key_length',
        'attention.value_length',
        'vocab_size',
      ].map((key) => metadata[`llama.${key}`]),
    );
    const last = read.tensorInfos.at(-1)!;
    const lastBytes = type === 'F16' ? 9600 : 2700;
    const end = Number(read.tensorDataOffset) + Number(last.offset) + lastBytes;
    expect(Math.ceil(end / 32) * 32).toBe(facts.fileBytes);
  });

  test('behind a link, and at a relative path', async () => {
    const path = await writeTiny();
    symlinkSync(path, `${path}.link`);
    expect(await openModelFile(`${path}.link`)).toMatchObject({ file: 'tiny.gguf.link' });
    const relative = join('..', '..', '..', '..', '..', '..', '..', '..', path);
    expect(await openModelFile(relative)).toMatchObject({ paths: [path] });
  });

  test('of a type that is unknown here: the facts come, and what was not checked', async () => {
    const path = join(createFolder(), 'new.gguf');
    const tensors = [{ name: 'a', shape: [64], type: 43, offset: 0 }];
    writeFileSync(path, encodeFile({ pairs: llamaPairs, tensors, dataBytes: 40 }));
    const sentences: string[] = [];
    const facts = await openModelFile(path, { onNotChecked: (words) => sentences.push(words) });
    expect(facts).toMatchObject({ quantization: 'type_43', weightBytes: 40, parameterCount: 64 });
    expect(sentences).toEqual([
      'new.gguf: 1 tensor of a type that is unknown here (43): whether whole is not checked',
    ]);
  });
});

describe('what is no file is refused in its own words', () => {
  test('nothing', async () => {
    const path = join(createFolder(), 'none.gguf');
    expect(await wordsOf(path)).toEqual([`${path}: there is no such file`]);
    expect((await errorOf(path)).code).toBe('not-found');
  });

  test('an address', async () => {
    expect((await errorOf('https://example.org/a.gguf')).hint).toBe(
      'download it and name the file',
    );
  });

  test('a folder, with a file of it to take', async () => {
    const folder = createFolder();
    expect((await errorOf(folder)).hint).toBe(
      'name a file that ends in .gguf; there is none in this folder',
    );
    writeFileSync(join(folder, 'm.gguf'), '');
    expect(await wordsOf(folder)).toEqual([`${folder}: is a folder`]);
    expect((await errorOf(folder)).hint).toBe(`name a file in it, such as ${folder}/m.gguf`);
  });

  test.skipIf(process.platform === 'win32')('a pipe, without waiting for it', async () => {
    const path = join(createFolder(), 'pipe');
    execFileSync('mkfifo', [path]);
    expect(await wordsOf(path)).toEqual([`${path}: is a pipe, not a file`]);
  });

  test.skipIf(process.platform === 'win32')('a device', async () => {
    expect(await wordsOf('/dev/null')).toEqual(['/dev/null: is a device or a socket, not a file']);
  });

  test('an empty file', async () => {
    const path = join(createFolder(), 'empty.gguf');
    writeFileSync(path, '');
    expect(await wordsOf(path)).toEqual([`${path}: is empty`]);
  });

  test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'a file of others',
    async () => {
      const path = await writeTiny();
      chmodSync(path, 0);
      expect(await wordsOf(path)).toEqual([`${path}: no permission to read it`]);
    },
  );

  test('a file behind a file', async () => {
    const path = join(await writeTiny(), 'more.gguf');
    expect(await wordsOf(path)).toEqual([`${path}: a part of the path is a file, not a folder`]);
  });

  test('a link to itself', async () => {
    const path = join(createFolder(), 'loop.gguf');
    symlinkSync(path, path);
    expect(await wordsOf(path)).toEqual([`${path}: a link that leads back to itself`]);
  });
});

describe('a file that is cut short', () => {
  test('is refused at every length', async () => {
    const path = await writeTiny();
    const whole = readFileSync(path);
    const dataAt = 2016;
    // every length of the header, and each tensor's neighbourhood of the data
    const lengths = new Set(Array.from({ length: dataAt + 100 }, (_, index) => index));
    for (let length = dataAt; length < whole.length - 20; length += 501) lengths.add(length);
    for (let less = 21; less < 120; less++) lengths.add(whole.length - less);
    for (const length of [...lengths].sort((a, b) => b - a)) {
      truncateSync(path, length);
      const error = await errorOf(path);
      expect([length, error.code]).toEqual([length, 'invalid-input']);
    }
  });

  test('is sound without the padding after its last tensor, which nobody reads', async () => {
    const path = await writeTiny();
    // the last tensor has 2700 bytes, which are padded to 2720
    truncateSync(path, 88_864 - 20);
    expect(await openModelFile(path)).toMatchObject({ fileBytes: 88_844 });
    truncateSync(path, 88_864 - 21);
    expect(await wordsOf(path)).toEqual([
      `model ${path}: 1 fault`,
      'the file: cut short: it has 88,843 bytes and needs 88,844; 1 tensor of 21 not whole',
    ]);
  });
});

describe('a damaged file', () => {
  test('is read or refused, whatever bytes were changed', async () => {
    const seed = 'mutations of a header';
    const random = createRandom(seed);
    const path = await writeTiny();
    const whole = readFileSync(path);
    const counts = { read: 0, refused: 0 };
    for (let round = 0; round < 2000; round++) {
      const bytes = Buffer.from(whole);
      const changes = 1 + random.nextBelow(4);
      for (let change = 0; change < changes; change++) {
        bytes[random.nextBelow(2016)] = random.nextBelow(256);
      }
      writeFileSync(path, bytes);
      try {
        const facts = await openModelFile(path);
        counts.read += 1;
        expect(facts.layerCount, `${seed} ${round}`).toBeGreaterThan(0);
        expect(facts.weightBytes, `${seed} ${round}`).toBeLessThanOrEqual(bytes.length);
        expect(facts.quantization, `${seed} ${round}`).toMatch(/^[A-Za-z0-9_]+$/);
      } catch (error) {
        if (!(error instanceof RooflawError)) throw error;
        counts.refused += 1;
      }
    }
    expect(counts.read).toBeGreaterThan(100);
    expect(counts.refused).toBeGreaterThan(1000);
  });
});

describe('a split model', () => {
  const split = (index: number, count = 3): Record<string, Value> => ({
    'split.no': { uint16: index },
    'split.count': { uint16: count },
    'split.tensors.count': { int32: 2 },
  });
  const nameOf = (index: number) => `big-0000${index + 1}-of-00003.gguf`;
  /** As llama.cpp splits: metadata in the first part, which may have no tensors. */
  const files: RawFile[] = [
    { pairs: { ...llamaPairs, ...split(0) } },
    {
      pairs: split(1),
      tensors: [{ name: 'a', shape: [256, 2], type: 12, offset: 0 }],
      dataBytes: 288,
    },
    { pairs: split(2), tensors: [{ name: 'b', shape: [16], type: 0, offset: 0 }], dataBytes: 64 },
  ];

  function writeParts(folder = createFolder()): string[] {
    return files.map((file, index) => {
      const path = join(folder, nameOf(index));
      writeFileSync(path, encodeFile(file));
      return path;
    });
  }

  test('is found from any part', async () => {
    const paths = writeParts();
    for (const path of paths) {
      expect(await openModelFile(path)).toMatchObject({
        file: 'big-00001-of-00003.gguf',
        paths,
        parts: paths.map((part, index) => ({ name: nameOf(index), bytes: statSync(part).size })),
        quantization: 'Q4_K',
        tensorCount: 2,
        parameterCount: 528,
        weightBytes: 352,
      });
    }
  });

  test('needs all its parts: those that are missing are named', async () => {
    const [first, second, third] = writeParts() as [string, string, string];
    rmSync(first);
    rmSync(third);
    expect(await wordsOf(second)).toEqual([
      `model ${second}: 2 faults`,
      `big-00001-of-00003.gguf: this part is not in ${join(second, '..')}`,
      `big-00003-of-00003.gguf: this part is not in ${join(second, '..')}`,
    ]);
  });

  test('with a part that is cut short, or no GGUF, is refused with the part', async () => {
    const [first, second, third] = writeParts() as [string, string, string];
    truncateSync(third, statSync(third).size - 1);
    expect((await wordsOf(first)).at(-1)).toMatch(/^big-00003-of-00003.gguf: cut short: /);
    writeFileSync(second, 'something else');
    mkdirSync(`${third}.d`);
    rmSync(third);
    execFileSync('mv', [`${third}.d`, third]);
    expect(await wordsOf(first)).toEqual([
      `model ${first}: 2 faults`,
      'big-00002-of-00003.gguf: the first bytes: no GGUF: such a file begins with the letters GGUF',
      'big-00003-of-00003.gguf: is a folder',
    ]);
  });

  test('under another name is refused with the name it needs', async () => {
    const [first] = writeParts() as [string];
    const path = join(first, '..', 'renamed.gguf');
    copyFileSync(first, path);
    const [, ...faults] = await wordsOf(path);
    expect(faults).toEqual(['renamed.gguf: says it is part 1 of 3, and its name does not']);
    expect((await errorOf(path)).faults[0]?.hint).toContain('NAME-00001-of-00003.gguf');
  });

  test('of more parts than llama.cpp counts is refused before any is looked for', async () => {
    const path = join(createFolder(), 'big-00001-of-4000000000.gguf');
    const count = { 'split.count': { uint32: 4_000_000_000 }, 'split.no': { uint16: 0 } };
    writeFileSync(path, encodeFile({ pairs: { ...llamaPairs, ...count } }));
    expect((await errorOf(path)).faults[0]?.what).toBe(
      'says it has 4,000,000,000 parts; at most 65,535 are read',
    );
  });

  test('of more parts than can be listed tells how many', async () => {
    const path = join(createFolder(), 'big-00001-of-65535.gguf');
    writeFileSync(path, encodeFile({ pairs: { ...llamaPairs, ...split(0, 65_535) } }));
    const words = await errorOf(path);
    expect(words.faults).toHaveLength(21);
    expect(words.faults[20]?.what).toBe('and 65,514 more are missing');
  });
});
