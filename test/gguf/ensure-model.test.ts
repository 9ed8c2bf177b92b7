import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ensureModel } from '../../src/gguf/ensure-model.io.ts';
import { sha256Hex } from '../../src/hash.ts';
import { createFolder, tiny } from './small-model.ts';

const model = { architecture: tiny, quantization: 'Q4_0', weightSeed: 2 } as const;
const sha256 = 'b85b5ebfebeeee7456e1a5ef6e4e20f8709a1cc60511f4102ad1a7cc1cce6bcb';
const fileName = 'd32-h3-kv1-ff160-l2-v50-Q4_0-seed2-g1.gguf';

/** The plan names the hash, or there is no plan yet. */
const hashGiven: [string, { expectedSha256?: string }][] = [
  ['with', { expectedSha256: sha256 }],
  ['without', {}],
];

describe('a model in the cache', () => {
  test('is created under a name that says what it is', async () => {
    const cacheDirectory = join(createFolder(), 'not', 'there');
    const path = join(cacheDirectory, 'models', fileName);
    const bytes = 88_864;
    expect(await ensureModel({ ...model, cacheDirectory, expectedSha256: sha256 })).toEqual({
      path,
      sha256,
      bytes,
      outcome: { state: 'created' },
    });
    expect(sha256Hex(readFileSync(path))).toBe(sha256);
    expect(readdirSync(join(cacheDirectory, 'models'))).toEqual([fileName]);
  });

  test.each(hashGiven)('is reused when its bytes are right, %s a hash', async (_, given) => {
    const cacheDirectory = createFolder();
    await ensureModel({ ...model, cacheDirectory });
    const again = await ensureModel({ ...model, ...given, cacheDirectory });
    expect(again).toMatchObject({ sha256, outcome: { state: 'reused' } });
  });

  test.each(hashGiven)('is replaced when one bit differs, %s a hash', async (_, given) => {
    const cacheDirectory = createFolder();
    const { path } = await ensureModel({ ...model, cacheDirectory });
    const bytes = readFileSync(path);
    bytes[50_000]! ^= 4;
    writeFileSync(path, bytes);
    const again = await ensureModel({ ...model, ...given, cacheDirectory });
    expect(again).toMatchObject({
      sha256,
      outcome: { state: 'replaced', reason: expect.stringContaining(`instead of ${sha256}`) },
    });
    expect(sha256Hex(readFileSync(path))).toBe(sha256);
  });

  test('is replaced when it is cut short', async () => {
    const cacheDirectory = createFolder();
    const { path } = await ensureModel({ ...model, cacheDirectory });
    truncateSync(path, 1000);
    expect((await ensureModel({ ...model, cacheDirectory })).outcome).toEqual({
      state: 'replaced',
      reason: 'it had 1000 bytes instead of 88864',
    });
    expect(sha256Hex(readFileSync(path))).toBe(sha256);
  });

  test('is refused, and not put there, when the plan names another hash', async () => {
    const cacheDirectory = createFolder();
    await expect(
      ensureModel({ ...model, cacheDirectory, expectedSha256: 'f'.repeat(64) }),
    ).rejects.toMatchObject({ code: 'model-mismatch' });
    expect(readdirSync(join(cacheDirectory, 'models'))).toEqual([]);
  });

  test('cannot lie below a file, and the error says where', async () => {
    const cacheDirectory = join(createFolder(), 'file');
    writeFileSync(cacheDirectory, '');
    await expect(ensureModel({ ...model, cacheDirectory })).rejects.toMatchObject({
      code: 'not-writable',
      message: expect.stringContaining(join('file', 'models')),
    });
  });

  test('may be made by several processes at once', async () => {
    const cacheDirectory = createFolder();
    const program = new URL('./ensure-in-process.ts', import.meta.url);
    const start = () =>
      promisify(execFile)(process.execPath, [
        program.pathname,
        JSON.stringify({ ...model, cacheDirectory }),
      ]);
    const outputs = await Promise.all([start(), start(), start()]);
    expect(outputs.map(({ stdout }) => stdout)).toEqual([sha256, sha256, sha256]);
    expect(readdirSync(join(cacheDirectory, 'models'))).toEqual([fileName]);
    expect(existsSync(join(cacheDirectory, 'models', fileName))).toBe(true);
  });
});
