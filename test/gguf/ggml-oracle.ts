import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** What ggml's own library makes of floats. */
export type GgmlOracle = (kind: 'f16' | 'q8_0' | 'q4_0', floats: Float32Array) => Uint8Array;

/** Links ggml-oracle.cpp to the library of node-llama-cpp, or says what is missing here. */
export function buildGgmlOracle(): { oracle: GgmlOracle } | { missing: string } {
  const compiler = ['c++', 'g++', 'clang++'].find(
    (name) => spawnSync(name, ['--version']).status === 0,
  );
  if (compiler === undefined) return { missing: 'a C++ compiler (Debian: apt install g++)' };
  const root = resolve(import.meta.dirname, '../..');
  const target = `node_modules/@node-llama-cpp/*/bins/*/libggml-base.{so,dylib}`;
  const [library] = globSync(target, { cwd: root });
  if (library === undefined) return { missing: 'the ggml library of node-llama-cpp' };
  const source = join(import.meta.dirname, 'ggml-oracle.cpp');
  const program = join(mkdtempSync(join(tmpdir(), 'rooflaw-oracle-')), 'ggml-oracle');
  const libraryPath = join(root, library);
  const searchPath = `-Wl,-rpath,${dirname(libraryPath)}`;
  execFileSync(compiler, ['-O1', '-std=c++17', source, libraryPath, searchPath, '-o', program]);
  const oracle: GgmlOracle = (kind, floats) =>
    execFileSync(program, [kind], {
      input: new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength),
      maxBuffer: 2 ** 28,
    });
  return { oracle };
}
