import { copyFileSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createCheckedFiles } from '../../src/campaign/checked-files.io.ts';
import { sha256Hex } from '../../src/hash.ts';

const folder = mkdtempSync(join(tmpdir(), 'rooflaw-checked-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function checkedFile(name: string) {
  const path = join(folder, name);
  writeFileSync(path, 'weights');
  const files = createCheckedFiles();
  const sha256 = sha256Hex('weights');
  await files.add(sha256, path);
  return { path, files, sha256 };
}

test('a file that nobody touched is opened', async () => {
  const { path, files, sha256 } = await checkedFile('untouched');
  expect(await files.open(sha256)).toBe(path);
});

test('a file that another process replaced by the same bytes is opened', async () => {
  const { path, files, sha256 } = await checkedFile('replaced');
  copyFileSync(path, `${path}.new`);
  renameSync(`${path}.new`, path);
  expect(await files.open(sha256)).toBe(path);
});

test.each<[string, (path: string) => void]>([
  ['changed', (path) => writeFileSync(path, 'Weights')],
  ['removed', (path) => rmSync(path)],
  [
    'changed with its times put back',
    (path) => {
      writeFileSync(path, 'WEIGHTS');
      utimesSync(path, 1, 1);
    },
  ],
])('a file that was %s is refused', async (what, change) => {
  const { path, files } = await checkedFile(what);
  change(path);
  await expect(files.openAll()).rejects.toMatchObject({ code: 'model-mismatch' });
});
