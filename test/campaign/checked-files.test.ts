import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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

test('of two files with the same bytes each is watched', async () => {
  for (const which of ['one', 'two']) {
    const paths = ['one', 'two'].map((name) => join(folder, `${which}-changed-${name}`));
    const files = createCheckedFiles();
    for (const path of paths) {
      writeFileSync(path, 'weights');
      await files.add(sha256Hex('weights'), path);
    }
    writeFileSync(join(folder, `${which}-changed-${which}`), 'others!');
    await expect(files.openAll()).rejects.toThrow(`${which}-changed-${which} changed`);
    await expect(files.open(sha256Hex('weights'))).rejects.toThrow('changed during the campaign');
  }
});

test.each<[string, (path: string) => void]>([
  ['a folder', (path) => mkdirSync(path)],
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a link to nothing', (path) => symlinkSync(`${path}.nowhere`, path)],
])('a file in whose place is now %s has changed', async (name, put) => {
  const { path, files, sha256 } = await checkedFile(`now-${name.replaceAll(' ', '-')}`);
  rmSync(path);
  put(path);
  await expect(files.open(sha256)).rejects.toMatchObject({ code: 'model-mismatch' });
});

test('hashing a file that was touched can be stopped', async () => {
  const controller = new AbortController();
  const path = join(folder, 'touched');
  writeFileSync(path, 'weights');
  const files = createCheckedFiles(controller.signal);
  await files.add(sha256Hex('weights'), path);
  utimesSync(path, 1, 1);
  controller.abort();
  await expect(files.open(sha256Hex('weights'))).rejects.toMatchObject({ code: 'interrupted' });
});

test('a file that changed between its hash and the watch over it is refused; one that did not is watched', async () => {
  const path = join(folder, 'late');
  writeFileSync(path, 'library');
  const files = createCheckedFiles();
  await files.addAgain(sha256Hex('library'), path);
  expect(await files.open(sha256Hex('library'))).toBe(path);
  writeFileSync(path, 'another');
  await expect(files.openAll()).rejects.toThrow('changed');
  await expect(createCheckedFiles().addAgain(sha256Hex('library'), path)).rejects.toThrow(
    /late changed/,
  );
});
