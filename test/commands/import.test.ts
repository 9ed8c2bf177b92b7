import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { llamaBenchImportSchema } from '../../src/formats/llama-bench-import.ts';
import { finish, workIn } from '../support/rooflaw.ts';

const output = readFileSync(new URL('../llama-bench/outputs/a.json.out', import.meta.url), 'utf8');

test('import llama-bench prints a table, and with --json the published form', async () => {
  const work = workIn();
  work.write('bench.json', output);
  const table = await work.run(['import', 'llama-bench', 'bench.json']);
  expect(table).toMatchObject({ status: 0, stderr: '' });
  expect(table.stdout).toContain('bench.json: 4 tests of llama-bench, 4 conditions, JSON');
  expect(table.stdout).toContain('no interval over processes can be given');
  const json = await work.run(['import', 'llama-bench', 'bench.json', '--json']);
  const result = llamaBenchImportSchema.parse(JSON.parse(json.stdout));
  expect(result.source).toMatchObject({ name: 'bench.json', bytes: 4679, layout: 'json' });
  expect(result.runs).toHaveLength(4);
});

test('a dash reads standard input', async () => {
  const child = workIn().start(['import', 'llama-bench', '-', '--format', 'json']);
  child.stdin?.end(output);
  const { status, stdout } = await finish(child);
  expect(status).toBe(0);
  expect(stdout).toContain('standard input: 4 tests');
});

test('wrong figures are findings and no failure', async () => {
  const work = workIn();
  work.write('bench.json', '[{"n_prompt": 8, "n_gen": 0, "samples_ns": [10, 12], "avg_ns": 99}]');
  const { status, stdout } = await work.run(['import', 'llama-bench', 'bench.json']);
  expect(status).toBe(0);
  expect(stdout).toContain('wrong: avg_ns');
});

test.each([
  [['missing.json'], 'cannot read missing.json'],
  [['.'], 'cannot read .'],
  [['other.json'], 'other.json is no output of llama-bench'],
  [['other.json', '--format', 'xml'], 'Allowed choices are json, jsonl, csv, sql, md.'],
  [['bad.json'], 'row 1 (line 1), n_gen'],
  [[], 'missing required argument'],
])(
  'import llama-bench %j is refused with status 2 and nothing on standard output',
  async (args, words) => {
    const work = workIn();
    work.write('other.json', { name: 'other' });
    work.write('bad.json', { n_prompt: 5, n_gen: '\u001b[2J', samples_ns: [1] });
    const { status, stdout, stderr } = await work.run(['import', 'llama-bench', ...args]);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('\u001b');
  },
);

test.each([[['import']], [['import', 'llama-bench']]])(
  'the help of %j has a sentence, an example and the exit statuses',
  async (words) => {
    const { status, stdout } = await workIn().run([...words, '--help']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\.\n/);
    expect(stdout).toContain('$ rooflaw import llama-bench');
    expect(stdout).toMatch(/exit status/i);
  },
);
