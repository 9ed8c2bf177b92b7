import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { runnerEnvironment } from '../../src/backend/runner-environment.ts';
import { findRealBackend, writeTinyModel } from '../support/real-backend.ts';
import { workIn } from '../support/rooflaw.ts';

/** No text has these by chance. */
const secrets: Record<string, string> = {
  AWS_SECRET_ACCESS_KEY: 'hush-aws-7f3a91',
  HF_TOKEN: 'hush-hf-2b8c44',
  GITHUB_TOKEN: 'hush-github-90d1e5',
  npm_config__authToken: 'hush-npm-5512ab',
  DATABASE_URL: 'postgres://user:hush-db-c0ffee@host/db',
  SSH_AUTH_SOCK: '/tmp/hush-ssh-11aa22',
  GGML_HUSH: 'hush-ggml-3d3d3d',
  LLAMA_ARG_HUSH: 'hush-llama-4e4e4e',
  NODE_HUSH: 'hush-node-6f6f6f',
  LANG: 'hush-lang-777777',
  TMPDIR: '/tmp',
};
const pathEntry = '/opt/hush-path-8a8a8a/bin';
const home = '/tmp/hush-home-9b9b9b';

/** Every file below a folder, links not followed. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

it('no value of the environment stands in anything that is written', async ({ skip }) => {
  const backend = await findRealBackend();
  if (backend.state === 'missing') skip(backend.what);
  const model = await writeTinyModel('Q8_0');
  const work = workIn();
  const environment = {
    ...secrets,
    HOME: home,
    PATH: `${pathEntry}${delimiter}${process.env.PATH}`,
    LD_LIBRARY_PATH: '/opt/hush-library-1c1c1c',
  };
  const told = [];
  for (const words of [
    [
      'bench',
      '-m',
      model,
      ...'-p 8 -n 0 -r 1 -t 1 --processes 2 --warmup 0 --yes --name mine'.split(' '),
    ],
    ['analyze', 'mine', '--json'],
    ['report', 'mine'],
    ['verify', 'mine'],
    ['publish', 'mine', '--out', 'public'],
    // a failure quotes what it was given
    ['bench', '-m', join(home, 'missing.gguf'), '--yes'],
    ['doctor', '--json'],
  ]) {
    const { status, stdout, stderr } = await work.run(words, environment);
    expect(stderr, words.join(' ')).not.toMatch(/unexpected error/);
    told.push({ name: words[0], status, text: stdout + stderr });
  }
  expect(told.slice(0, 5).map(({ status }) => status)).toEqual([0, 0, 0, 0, 0]);
  const files = listFiles(work.folder);
  expect(files.some((path) => path.endsWith('ledger.ndjson'))).toBe(true);
  expect(files.some((path) => path.endsWith('.log'))).toBe(true);
  expect(files.some((path) => path.endsWith('report.html'))).toBe(true);
  expect(files.some((path) => path.endsWith('public/datapackage.json'))).toBe(true);
  const found = files.filter((path) => /hush/.test(readFileSync(path, 'latin1')));
  expect(found).toEqual([]);
  const named = told.filter(({ text }) => /hush-(?!home)/.test(text)).map(({ name }) => name);
  expect(named).toEqual([]);
});

it('the runner is given an allow-list of variables, whatever else there is', () => {
  const given = runnerEnvironment(
    { libraryDirectory: '/libraries' },
    { ...secrets, HOME: homedir(), PATH: '/bin', constructor: 'x', __proto__: 'x' },
  );
  expect(Object.keys(given).sort()).toEqual([
    ...['DYLD_LIBRARY_PATH', 'HOME', 'LANG', 'LD_LIBRARY_PATH', 'PATH', 'TMPDIR'],
  ]);
});
