import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'rooflaw-package-'));
const installed = join(folder, 'node_modules/rooflaw');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lays the package out as npm would, beside its dependencies. */
beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name.startsWith('.')) continue;
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const file of ['package.json', ...files]) {
    if (file !== 'dist') cpSync(join(root, file), join(installed, file), { recursive: true });
  }
  const build = ['-p', join(root, 'tsconfig.build.json'), '--outDir', join(installed, 'dist')];
  execFileSync(join(root, 'node_modules/.bin/tsc'), build);
}, 120_000);

function run(...args: string[]): string {
  return execFileSync(process.execPath, [join(installed, 'bin/rooflaw.js'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') },
  });
}

test('the installed package runs its compiled form', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(run('--version')).toBe(`${version}\n`);
  expect(run('space', 'show', 'pocket')).toContain('3 architectures');
});

test('the installed package makes the same models as the checkout', () => {
  run('plan', '--space', 'pocket', '--protocol', 'pocket-1', '--no-models', '--out', 'p.json');
  const plan = JSON.parse(readFileSync(join(folder, 'p.json'), 'utf8'));
  expect(plan.models[0]).toMatchObject({
    architecture: { name: 'wide' },
    quantization: 'Q8_0',
    sha256: '5400b575e9dab07e1908e6b4d0c39a26e5e831584bdd922ecbc39ddb4a4180df',
  });
});
