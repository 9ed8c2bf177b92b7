import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hashModelFile } from '../../src/gguf/hash-model-file.io.ts';
import { createFolder } from './small-model.ts';

/** SHA-256 of `abc` and of nothing but a `b`, as published and as sha256sum gives it. */
const sha256OfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const sha256OfB = '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d';

function writeFiles(...contents: string[]): { paths: string[]; cacheDirectory: string } {
  const folder = createFolder();
  const paths = contents.map((content, index) => {
    const path = join(folder, `part${index}`);
    writeFileSync(path, content);
    return path;
  });
  return { paths, cacheDirectory: join(folder, 'cache') };
}

/** After this a file's times tell the next change from the last. */
const settle = () => setTimeout(2100);
const entriesOf = (cacheDirectory: string) => readdirSync(join(cacheDirectory, 'hashes'));

test("one file has its own hash, a split model that of its parts' hashes", async () => {
  const { paths, cacheDirectory } = writeFiles('abc', 'b');
  expect(await hashModelFile([paths[0]!], { cacheDirectory })).toEqual({
    sha256: sha256OfAbc,
    parts: [{ name: 'part0', bytes: 3, sha256: sha256OfAbc }],
  });
  expect(await hashModelFile(paths, { cacheDirectory })).toEqual({
    // printf '["ba78...","3e23..."]' | sha256sum
    sha256: 'abcd825f6d5893fc5a598d732378d2ce1116aa0e178866c5b205aaf4846e75d0',
    parts: [
      { name: 'part0', bytes: 3, sha256: sha256OfAbc },
      { name: 'part1', bytes: 1, sha256: sha256OfB },
    ],
  });
});

test('a file of many pieces has the hash of its bytes, and progress is told', async () => {
  const { paths, cacheDirectory } = writeFiles('a'.repeat(5_000_000), 'b');
  const told: [number, number][] = [];
  const onProgress = (done: number, total: number) => told.push([done, total]);
  const { parts } = await hashModelFile(paths, { cacheDirectory, onProgress });
  // head -c 5000000 /dev/zero | tr '\0' a | sha256sum
  expect(parts[0]?.sha256).toBe('7f4a285193573e707fcb6398222c00f044745cd2930e41d28d30da87d6ca183f');
  expect(told).toEqual([
    [2_097_152, 5_000_001],
    [4_194_304, 5_000_001],
    [5_000_000, 5_000_001],
    [5_000_001, 5_000_001],
  ]);
});

test('a hash is remembered, and the file is not read again', async () => {
  const { paths, cacheDirectory } = writeFiles('abc');
  await settle();
  await hashModelFile(paths, { cacheDirectory });
  const [name] = entriesOf(cacheDirectory);
  expect(entriesOf(cacheDirectory)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)]);
  const path = join(cacheDirectory, 'hashes', name!);
  const lie = readFileSync(path, 'utf8').replace(sha256OfAbc, sha256OfB);
  writeFileSync(path, lie);
  const told: number[] = [];
  const onProgress = (done: number) => told.push(done);
  expect(await hashModelFile(paths, { cacheDirectory, onProgress })).toMatchObject({
    sha256: sha256OfB,
  });
  expect(told).toEqual([3]);

  for (const damage of [
    '',
    'null',
    '[]',
    '{}',
    lie.slice(0, -9),
    lie.replace('"bytes":"3",', ''),
    lie.replace('"bytes":"3"', '"bytes":"4"'),
  ]) {
    writeFileSync(path, damage);
    expect((await hashModelFile(paths, { cacheDirectory })).sha256).toBe(sha256OfAbc);
  }
  expect((await hashModelFile(paths, { cacheDirectory })).sha256).toBe(sha256OfAbc);
});

test('a file that was changed is hashed anew, even with its size and time of before', async () => {
  const { paths, cacheDirectory } = writeFiles('abd');
  const [path] = paths as [string];
  const modifiedAt = 1_000_000_000;
  utimesSync(path, modifiedAt, modifiedAt);
  await settle();
  await hashModelFile(paths, { cacheDirectory });
  expect(entriesOf(cacheDirectory)).toHaveLength(1);
  writeFileSync(path, 'abc');
  utimesSync(path, modifiedAt, modifiedAt);
  expect((await hashModelFile(paths, { cacheDirectory })).sha256).toBe(sha256OfAbc);
});

test('the hash of a file that was changed a moment ago is not remembered', async () => {
  const { paths, cacheDirectory } = writeFiles('abc');
  await hashModelFile(paths, { cacheDirectory });
  expect(() => entriesOf(cacheDirectory)).toThrow('ENOENT');
});

test('a cache that cannot be written is no hindrance', async () => {
  const { paths, cacheDirectory } = writeFiles('abc');
  writeFileSync(cacheDirectory, 'a file where the folder should be');
  await settle();
  expect((await hashModelFile(paths, { cacheDirectory })).sha256).toBe(sha256OfAbc);
});

test('hashing can be stopped', async () => {
  const { paths, cacheDirectory } = writeFiles('a'.repeat(5_000_000));
  const stop = new AbortController();
  const hashing = hashModelFile(paths, {
    cacheDirectory,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await expect(hashing).rejects.toMatchObject({
    code: 'interrupted',
    message: 'stopped while a model was hashed',
    hint: 'the same command begins again',
  });
});

test('a file that changes while it is hashed is refused', async () => {
  const { paths, cacheDirectory } = writeFiles('a'.repeat(5_000_000));
  const onProgress = () => writeFileSync(paths[0]!, 'b', { flag: 'a' });
  await expect(
    hashModelFile(paths, { cacheDirectory, onProgress: onceOnly(onProgress) }),
  ).rejects.toMatchObject({ code: 'model-mismatch' });
});

test('a file that is gone is told', async () => {
  const { paths, cacheDirectory } = writeFiles();
  await expect(
    hashModelFile([...paths, join(cacheDirectory, 'gone')], { cacheDirectory }),
  ).rejects.toMatchObject({ code: 'not-found' });
});

function onceOnly(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
