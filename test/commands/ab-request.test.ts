import { expect, test } from 'vitest';
import { readAbRequest } from '../../src/commands/ab.ts';
import { readGateRequest } from '../../src/commands/gate-request.ts';
import { RooflawError } from '../../src/errors.ts';

const model = ['-m', 'x.gguf', '-t', '1'];

function faultsOf(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof RooflawError)
      return error.faults.map(({ where, what }) => `${where}: ${what}`);
    throw error;
  }
  return [];
}

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
    margin: 0,
    equivalence: 0.01,
    correction: 'bonferroni',
    comparisons: 'declared',
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

test('one folder is that of both sides', () => {
  const { a, b } = readAbRequest([...model, '--backend', 'mine', '--a', '', '--b', '-fa 1']);
  expect([a.backend, b.backend]).toEqual(['mine', 'mine']);
  expect(a.label).toBe('no further options');
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
    ['--a: make 2 combinations where a side is one: fa=0; fa=1'],
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
    ['--margin: "3" is no share below 1', '--a, -zz: is no option of rooflaw bench or llama-bench'],
  ],
  [
    'too few rounds: two tests share 0.05, and 2^(1-t) is at most 0.025 from t = 7 on',
    [...model, '--a', '', '--b', '', '--max-rounds', '6'],
    ['--max-rounds: 6 rounds can decide nothing with 2 tests that share 0.05'],
  ],
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
