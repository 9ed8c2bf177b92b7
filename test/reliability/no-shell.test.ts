import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { findRealBackend, writeTinyModel } from '../support/real-backend.ts';
import { workIn } from '../support/rooflaw.ts';

const root = resolve(import.meta.dirname, '../..');

/** Every source of the program and of its scripts. */
function listSources(): { path: string; text: string }[] {
  return ['src', 'bin', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[jt]s$/.test(name))
      .map((name) => join(folder, name))
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  );
}

/** What starts a program of its own accord through a shell, or may. */
function findShells(text: string): string[] {
  const names = [...text.matchAll(/import\s*\{([^}]*)\}\s*from\s*'(?:node:)?child_process'/g)]
    .flatMap(([, list]) => list!.split(','))
    .map(
      (name) =>
        name
          .replace(/^\s*type\s+/, '')
          .trim()
          .split(/\s+as\s+/)[0]!,
    )
    .filter((name) => name === 'exec' || name === 'execSync');
  const whole =
    /(?:import\s+(?:\*\s+as\s+)?\w+\s+from|require\(|import\()\s*'(?:node:)?child_process'/;
  return [
    ...names,
    ...(whole.test(text) ? ['all of child_process'] : []),
    ...(text.match(/\bshell:(?!\s*(?:false|string|Shell)\b)[^\n]*/g) ?? []),
    ...(text.match(/'(?:\/bin\/)?(?:ba|da|z)?sh',\s*\['-c'|\bcmd(?:\.exe)?['"],\s*\[['"]\/c/g) ??
      []),
  ];
}

it('the search finds every way to a shell', () => {
  expect(findShells("import { exec } from 'node:child_process';")).toEqual(['exec']);
  expect(findShells("import { spawn, execSync as run } from 'child_process';")).toEqual([
    'execSync',
  ]);
  expect(findShells("import * as child from 'node:child_process';")).toHaveLength(1);
  expect(findShells("spawn('x', [], { shell: true })")).toHaveLength(1);
  expect(findShells("spawn('sh', ['-c', text])")).toHaveLength(1);
  expect(findShells("import { execFile, spawn } from 'node:child_process';")).toEqual([]);
});

it('no source starts a shell: arguments are arrays', () => {
  const sources = listSources();
  expect(sources.length).toBeGreaterThan(300);
  const shells = sources.flatMap(({ path, text }) =>
    findShells(text).map((what) => ({ path, what })),
  );
  // on Windows npm's programs are scripts; its arguments are all in that file
  const known = { path: 'scripts/build.ts', what: "shell: process.platform === 'win32'," };
  expect(shells).toEqual([known]);
});

const names = [`$(touch pwned);'"\n\`touch pwned\` & b.gguf`];

it('a name that a shell would run is a name', async ({ skip }) => {
  const backend = await findRealBackend();
  if (backend.state === 'missing') skip(backend.what);
  const model = await writeTinyModel('Q8_0');
  const work = workIn();
  const only = '-p 8 -n 0 -r 1 -t 1 --processes 2 --warmup 0 --yes'.split(' ');
  for (const [index, name] of names.entries()) {
    symlinkSync(model, join(work.folder, name));
    const words = ['bench', '-m', name, ...only, '--name', `odd-${index}`];
    const { status, stderr, stdout } = await work.run(words);
    expect(stderr).not.toMatch(/unexpected error/);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toContain('pp8');
  }
  expect(existsSync(join(work.folder, 'pwned'))).toBe(false);
}, 240_000);
