import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAbRequest } from '../../src/commands/ab.ts';
import { readGateRequest } from '../../src/commands/gate-request.ts';
import { parseTokensOptions } from '../../src/commands/tokens.ts';
import { RooflawError } from '../../src/errors.ts';
import { makeFolder } from '../support/ledger-folder.ts';

const model = ['-m', 'x.gguf', '-t', '1'];

function errorOf(read: () => unknown): RooflawError {
  try {
    read();
  } catch (error) {
    if (error instanceof RooflawError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
const faultsOf = (read: () => unknown) =>
  errorOf(read).faults.map(({ where, what }) => `${where}: ${what}`);
const hintsOf = (read: () => unknown) => errorOf(read).faults.map(({ hint }) => hint);

test('two sets of options are two sides that share all else', () => {
  const { a, b, stopping, maxRounds } = readAbRequest([
    ...model,
    '--a',
    '-fa 0',
    '--b',
    '-fa 1 -ub 64',
  ]);
  expect([a.label, b.label]).toEqual(['-fa 0', '-fa 1 -ub 64']);
  expect([a.execution.flashAttention, b.execution.flashAttention]).toEqual(['off', 'on']);
  expect([a.execution.ubatch, b.execution.ubatch]).toEqual([512, 64]);
  expect([a.execution.threads, b.execution.threads]).toEqual([1, 1]);
  expect([a.model, b.model, a.backend, b.backend]).toEqual(['x.gguf', 'x.gguf', null, null]);
  expect(maxRounds).toBe(30);
  expect(stopping).toEqual({
    method: 'S2',
    alpha: 0.05,
    margin: 0.005, // as in `rooflaw compare`: two builds of one code differ by a few tenths of a percent
    equivalence: 0.01,
    correction: 'bonferroni',
    comparisons: 'declared',
    measured: 'open',
  });
});

test('two folders are two sides, also one folder twice', () => {
  const two = readAbRequest([...model, '--backend', 'builds/old', '--backend', 'embedded']);
  expect([two.a.backend, two.b.backend]).toEqual(['builds/old', null]);
  expect([two.a.label, two.b.label]).toEqual(['builds/old', 'embedded']);
  const same = readAbRequest([...model, '--backend', 'old', '--backend', 'old']);
  expect([same.a.backend, same.b.backend]).toEqual(['old', 'old']);
});

test('two files are two sides, also one file twice', () => {
  const two = readAbRequest(['-m', 'x.gguf', '-m', 'y.gguf']);
  expect([two.a.model, two.b.model]).toEqual(['x.gguf', 'y.gguf']);
  const same = readAbRequest(['-m', 'x.gguf,x.gguf']);
  expect([same.a.model, same.b.model]).toEqual(['x.gguf', 'x.gguf']);
});

test('a comma divides two files only where no file has the whole name', () => {
  const folder = makeFolder();
  const whole = join(folder, 'one,two.gguf');
  writeFileSync(whole, '');
  const { a, b } = readAbRequest(['-m', whole, '-m', 'y.gguf']);
  expect([a.model, b.model]).toEqual([whole, 'y.gguf']);
  expect(parseTokensOptions(['-m', whole], 1).models).toEqual([whole]);
});

test('what llama.cpp lowers in one side is told', () => {
  const { notes } = readAbRequest([...model, '--a', '-b 64 -ub 128', '--b', '-b 64 -ub 64']);
  expect(notes).toEqual([expect.stringContaining('-ub 128')]);
});

test('sides that llama.cpp makes the same are named before anything runs', () => {
  const sides = ['--a', '-b 1024', '--b', '-b 2048'];
  expect(readAbRequest([...model, '-p', '512', '-n', '0', ...sides]).notes).toEqual([
    'a and b are the same in pp512: llama.cpp lowers a batch to the context, which is as long as the test',
  ]);
  expect(readAbRequest([...model, '-p', '2048', '-n', '0', ...sides]).notes).toEqual([]);
  expect(readAbRequest([...model, '--a', '', '--b', '']).notes).toEqual([]);
});

test('one folder is that of both sides', () => {
  const { a, b } = readAbRequest([...model, '--backend', 'mine', '--a', '', '--b', '-fa 1']);
  expect([a.backend, b.backend]).toEqual(['mine', 'mine']);
  expect(a.label).toBe('no further options');
});

test('with --margin 0 any difference counts', () => {
  const { stopping } = readAbRequest([...model, '--a', '', '--b', '', '--margin', '0']);
  expect(stopping.margin).toBe(0);
});

test('an equivalence of 0 is never called', () => {
  const { stopping } = readAbRequest([...model, '--a', '', '--b', '', '--equivalence', '0']);
  expect(stopping.equivalence).toBeNull();
});

test.each<[string, string[], string[]]>([
  ['no sides', model, ['the sides: are not named']],
  [
    'sides in two ways',
    ['-m', 'x.gguf', '-m', 'y.gguf', '--a', '', '--b', '-fa 1'],
    [
      'the sides: differ in two sets of options and several files; which of them made the difference could not be told',
    ],
  ],
  ['three files', ['-m', 'x,y,z'], ['-m: names 3 files; two sides are compared']],
  ['one side', [...model, '--a', '-fa 0'], ['--b: is missing; both sides are named']],
  [
    'a side of two',
    [...model, '--a', '-fa 0,1', '--b', ''],
    ['--a: makes 2 combinations where a side is one: fa=0; fa=1'],
  ],
  [
    'another test in a side',
    [...model, '-p', '8', '-n', '0', '--a', '-p 16', '--b', ''],
    ['--a: changes tests, which must be the same for both sides'],
  ],
  ['a quote', [...model, '--a', '"', '--b', ''], ['--a: has a quote that is not closed']],
  [
    'an unknown option in a side and a bad share',
    [...model, '--a', '-zz 1', '--b', '', '--margin', '3'],
    ['--margin: "3" is no share below 1', '--a, -zz: is no option of rooflaw ab or llama-bench'],
  ],
  [
    'too few rounds: two tests share 0.05, and 2^(1-t) is at most 0.025 from t = 7 on',
    [...model, '--a', '', '--b', '', '--max-rounds', '6'],
    ['--max-rounds: 6 rounds can decide nothing with 2 tests and an alpha of 0.05'],
  ],
  [
    'neither a model nor sides',
    [],
    ['-m: is missing: no model is named', 'the sides: are not named'],
  ],
  [
    'a probability above a half',
    [...model, '--a', '', '--b', '', '--alpha', '2'],
    ['--alpha: "2" must be a share above 0 and at most 0.5'],
  ],
  ['a side without a value, told once', [...model, '--a', '', '--b'], ['--b: needs a value']],
  [
    'what is bench’s alone',
    [...model, '--a', '', '--b', '', '--budget', '5m', '--processes', '9', '-o', 'csv'],
    [
      '--budget: is bench’s; here --max-rounds says how long',
      '--processes: is bench’s; here --max-rounds says how many at most',
      '-o: ab prints text or, with --json, JSON',
    ],
  ],
])('%s is refused', (_what, words, faults) => {
  expect(faultsOf(() => readAbRequest(words))).toEqual(faults);
});

test('a gate has base and candidate, a limit and a time', () => {
  const words = ['--base', 'main', '--candidate', 'pr', '--max-slowdown', '2%', '--time', '90s'];
  const { a, b, maxSlowdown, timeLimitNs } = readGateRequest([...model, ...words], []);
  expect([a.backend, b.backend]).toEqual(['main', 'pr']);
  expect([maxSlowdown, timeLimitNs]).toEqual([0.02, 90_000_000_000]);
  const usual = readGateRequest([...model, '--base', 'main', '--candidate', 'pr'], []);
  expect([usual.maxSlowdown, usual.timeLimitNs]).toEqual([0.03, 600_000_000_000]);
});

test('all faults of a gate’s command line are told at once', () => {
  const words = ['--base', 'main', '--max-slowdown', '0', '--time', '5', '--backend', 'x'];
  expect(faultsOf(() => readGateRequest([...model, ...words], []))).toEqual([
    '--max-slowdown: "0" must be a share above 0 and below 1',
    '--time: "5" is no time above 0 with its unit',
    '--candidate: is missing; both sides are named',
    '--backend: stands beside --base and --candidate, which name the folders',
  ]);
});

test('faults name the command that was typed, and what it has in place of another’s option', () => {
  const sides = [...model, '--a', '', '--b', '-fa 1'];
  const gate =
    (...words: string[]) =>
    () =>
      readGateRequest([...sides, ...words], []);
  const ab =
    (...words: string[]) =>
    () =>
      readAbRequest([...sides, ...words]);
  expect(errorOf(gate('--alpha', '2')).message).toBe('options of gate: 1 fault');
  expect(faultsOf(gate('--alpha', '2'))).toEqual([
    '--alpha: is no option of rooflaw gate or llama-bench',
  ]);
  expect(hintsOf(gate('--alpha', '2'))).toEqual([
    'leave it out: a wrong verdict has a probability of at most 5 %',
  ]);
  expect(hintsOf(gate('--max-slowdwn', '2%'))).toEqual(['--max-slowdown']);
  expect(hintsOf(gate('--zzzzzz'))).toEqual(['rooflaw gate --help lists the options']);
  expect(hintsOf(gate('pocket'))).toEqual(['rooflaw gate --help lists the options']);
  expect(hintsOf(ab('--max-round', '3'))).toEqual(['--max-rounds']);
  expect(hintsOf(ab('--time', '3m'))).toEqual(['--max-rounds N; rooflaw gate ends after a time']);
  const inSide = () => readAbRequest([...model, '--a', '--margin 1%', '--b', '']);
  expect(faultsOf(inSide)).toEqual(['--a, --margin: is no option of rooflaw ab or llama-bench']);
  expect(hintsOf(inSide)).toEqual(['say it outside of --a and --b']);
});

test.each([
  ['ab', (words: string[]) => readAbRequest(words)],
  ['gate', (words: string[]) => readGateRequest(words, [])],
])(
  '%s shows how a side is quoted where a shell has divided it, and nothing else',
  (_verb, read) => {
    const words = [...model, '--a', '-fa', '0', '--b', '-fa', '1'];
    expect(faultsOf(() => read(words))).toEqual([
      '--a: has -fa alone, and "0" stands apart',
      '--b: has -fa alone, and "1" stands apart',
    ]);
  },
);
