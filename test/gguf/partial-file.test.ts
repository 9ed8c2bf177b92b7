import { spawnSync } from 'node:child_process';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { choosePartialPath, removeAbandonedPartials } from '../../src/gguf/partial-file.io.ts';
import { createFolder } from './small-model.ts';

test('partial files are removed when their process is gone and their last write long ago', async () => {
  const folder = createFolder();
  const goneProcess = spawnSync(process.execPath, ['-e', '']).pid;
  const anHourAgo = Date.now() / 1000 - 3600;
  const add = (name: string, old: boolean) => {
    writeFileSync(join(folder, name), '');
    if (old) utimesSync(join(folder, name), anHourAgo, anHourAgo);
  };
  add(`model.gguf.${goneProcess}-0123abcd.partial`, true);
  add(`young.gguf.${goneProcess}-0123abcd.partial`, false);
  add(`alive.gguf.${process.pid}-0123abcd.partial`, true);
  add('model.gguf', true);
  add('mine.partial', true);
  await removeAbandonedPartials(folder);
  expect(readdirSync(folder).sort()).toEqual([
    `alive.gguf.${process.pid}-0123abcd.partial`,
    'mine.partial',
    'model.gguf',
    `young.gguf.${goneProcess}-0123abcd.partial`,
  ]);
});

test('two partial files of one model have names of their own, in its folder', () => {
  const path = join('models', 'model.gguf');
  const [first, second] = [choosePartialPath(path), choosePartialPath(path)];
  expect(first).not.toBe(second);
  const prefix = join('models', `model.gguf.${process.pid}-`);
  expect([first.slice(0, prefix.length), second.slice(0, prefix.length)]).toEqual([prefix, prefix]);
});
