/**
 * What one pair of looks, before and behind the timer, costs for each reading: in ns, the median of 101 batches of
 * 200 pairs. None of it is inside the timer. Compiles the runner's own sources.
 *
 *   node bench/readings.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locateSourceBundle } from '../src/backend/embedded-backend.io.ts';
import { headerPaths, unpackBundle } from '../src/backend/source-tree.io.ts';
import { cacheFolder } from '../src/commands/cache-folder.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const sources = ['readings-linux', 'cycle-counter-linux', 'platform-linux', 'treatment'];
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
  pathOf('readings/cost.cpp'),
  ...sources.map((name) => pathOf(`../runner/${name}.cpp`)),
  '-o',
  program,
]);
console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} CPUs; ns for one pair of looks`,
);
console.log(execFileSync(program, { encoding: 'utf8' }).trimEnd());
