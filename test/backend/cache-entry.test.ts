import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureCacheEntry } from '../../src/backend/cache-entry.io.ts';

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'rooflaw-cache-'));
});
afterEach(() => rm(cache, { recursive: true }));

test('an entry is filled once', async () => {
  let fills = 0;
  const fill = async (folder: string) => {
    fills++;
    writeFileSync(join(folder, 'content'), 'complete');
  };
  await ensureCacheEntry(join(cache, 'entry'), fill);
  await ensureCacheEntry(join(cache, 'entry'), fill);
  expect(fills).toBe(1);
  expect(readFileSync(join(cache, 'entry', 'content'), 'utf8')).toBe('complete');
});

test('two that fill it at once get one complete entry and leave nothing else', async () => {
  const { promise: bothStarted, resolve: start } = Promise.withResolvers<void>();
  let started = 0;
  const fill = (name: string) => async (folder: string) => {
    writeFileSync(join(folder, 'first'), name);
    if (++started === 2) start();
    await bothStarted;
    writeFileSync(join(folder, 'second'), name);
  };
  await Promise.all(['a', 'b'].map((name) => ensureCacheEntry(join(cache, 'entry'), fill(name))));
  const [first, second] = ['first', 'second'].map((name) =>
    readFileSync(join(cache, 'entry', name), 'utf8'),
  );
  expect(first).toBe(second);
  expect(readdirSync(cache)).toEqual(['entry']);
});

test('an entry that could not be filled leaves nothing', async () => {
  const fill = async (folder: string) => {
    writeFileSync(join(folder, 'content'), 'half');
    throw new Error('the compiler crashed');
  };
  await expect(ensureCacheEntry(join(cache, 'entry'), fill)).rejects.toThrow(
    'the compiler crashed',
  );
  expect(readdirSync(cache)).toEqual([]);
});

test('a place where nothing can be written is told as such', async () => {
  writeFileSync(join(cache, 'file'), '');
  await expect(
    ensureCacheEntry(join(cache, 'file', 'entry'), async () => {}),
  ).rejects.toMatchObject({
    code: 'not-writable',
    hint: expect.stringContaining('XDG_CACHE_HOME'),
  });
});
