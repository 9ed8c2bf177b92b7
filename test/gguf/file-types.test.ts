import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findTensorFileType, labelFileType } from '../../src/gguf/file-types.ts';

const root = resolve(import.meta.dirname, '../..');
const machine = `${process.platform === 'darwin' ? 'mac' : process.platform}-${process.arch}`;
const [library] = globSync(
  `node_modules/@node-llama-cpp/${machine}*/bins/*/libggml-base.{so,dylib}`,
  { cwd: root },
);
const compiler = ['c++', 'g++', 'clang++'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

test.skipIf(library === undefined || compiler === undefined)(
  "blocks are as ggml's own library has them",
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'rooflaw-types-'));
    try {
      const program = join(folder, 'ggml-types');
      const path = join(root, library!);
      const source = join(import.meta.dirname, 'ggml-types.cpp');
      const searchPath = `-Wl,-rpath,${dirname(path)}`;
      execFileSync(compiler!, ['-std=c++17', source, path, searchPath, '-o', program]);
      const known = execFileSync(program, { encoding: 'utf8' }).trim().split('\n');
      expect(known).toHaveLength(35);
      for (const line of known) {
        const [number, name, blockLength, blockBytes] = line.split(' ');
        expect(findTensorFileType(Number(number)), line).toEqual({
          name: name!.toUpperCase(),
          blockLength: Number(blockLength),
          blockBytes: Number(blockBytes),
        });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test('types that ggml removed, and those to come, are unknown', () => {
  const unknown = [4, 5, 31, 32, 33, 36, 37, 38, 43, 4_294_967_295];
  expect(unknown.map(findTensorFileType)).toEqual(unknown.map(() => null));
});

test('file types have the labels of llama.cpp', () => {
  const labels = [0, 1, 2, 7, 10, 15, 17, 18, 30, 32, 38].map(labelFileType);
  expect(labels.join(' ')).toBe('F32 F16 Q4_0 Q8_0 Q2_K Q4_K_M Q5_K_M Q6_K IQ4_XS BF16 MXFP4_MOE');
  expect([5, 33, 42, 1023, 2048].map(labelFileType)).toEqual([null, null, null, null, null]);
});

test('a file type that llama.cpp guessed has the same label', () => {
  expect(labelFileType(1024 + 15)).toBe('Q4_K_M');
});
