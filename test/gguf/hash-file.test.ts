import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashFile } from '../../src/gguf/hash-file.io.ts';
import { createFolder } from './small-model.ts';

function writeBytes(count: number): string {
  const path = join(createFolder(), 'file');
  writeFileSync(path, 'a'.repeat(count));
  return path;
}

test('a file is hashed piece by piece, and each piece is told', async () => {
  const told: number[] = [];
  const onProgress = (bytesDone: number) => told.push(bytesDone);
  // head -c 5000000 /dev/zero | tr '\\0' a | sha256sum
  expect(await hashFile(writeBytes(5_000_000), { onProgress })).toBe(
    '7f4a285193573e707fcb6398222c00f044745cd2930e41d28d30da87d6ca183f',
  );
  expect(told).toEqual([2_097_152, 4_194_304, 5_000_000]);
});

test('an empty file has the hash of nothing', async () => {
  expect(await hashFile(writeBytes(0))).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
});

test('whoever stops it is told what was stopped', async () => {
  const path = writeBytes(3);
  const signal = AbortSignal.abort('enough');
  await expect(hashFile(path, { signal })).rejects.toMatchObject({
    code: 'interrupted',
    message: 'stopped while a file was hashed',
    hint: undefined,
    cause: 'enough',
  });
  const stop = { message: 'stopped while a key was cut', hint: 'come again' };
  await expect(hashFile(path, { signal, stop })).rejects.toMatchObject(stop);
});
