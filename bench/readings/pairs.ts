/** Compiles the runner's own sources with a loop around its looks, and runs it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locateSourceBundle } from '../../src/backend/embedded-backend.io.ts';
import { headerPaths, unpackBundle } from '../../src/backend/source-tree.io.ts';
import { cacheFolder } from '../../src/commands/cache-folder.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const sources = ['readings-linux', 'cycle-counter-linux', 'platform-linux', 'treatment'];

/** @returns a line for each reading: its name, ns for one pair of looks, and by which way or why not */
export async function timePairsOfLooks(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-readings-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const headers = await unpackBundle(
    locateSourceBundle(),
    headerPaths,
    join(cacheFolder(), 'headers'),
    () => {},
  );
  const program = join(folder, 'cost');
  execFileSync(process.env.CXX ?? 'c++', [
    '-std=c++17',
    '-O2',
    ...['include', 'ggml/include', 'vendor'].map((part) => `-I${join(headers.path, part)}`),
    pathOf('cost.cpp'),
    ...sources.map((name) => pathOf(`../../runner/${name}.cpp`)),
    '-o',
    program,
  ]);
  return execFileSync(program, { encoding: 'utf8' }).trimEnd();
}
