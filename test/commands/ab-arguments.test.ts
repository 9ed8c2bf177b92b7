import { expect, test } from 'vitest';
import {
  findUnquotedSides,
  parseShare,
  splitWords,
  takeOptions,
} from '../../src/commands/ab-arguments.ts';
import type { Fault } from '../../src/errors.ts';

test.each([
  ['', []],
  ['  ', []],
  ['-fa 0', ['-fa', '0']],
  ["  -m 'a b.gguf'\t-t 2 ", ['-m', 'a b.gguf', '-t', '2']],
  ['-m "a \\"b\\".gguf"', ['-m', 'a "b".gguf']],
  ["'a\\b'", ['a\\b']],
  ['a\\ b', ['a b']],
  ["x'' ''", ['x', '']],
  ['$HOME *.gguf ; ls `id`', ['$HOME', '*.gguf', ';', 'ls', '`id`']],
])('%j is divided into words without a shell', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test.each(["'a", '"a', '"a\\"'])('%s has a quote that is not closed', (text) => {
  expect(splitWords(text)).toBeNull();
});

test.each([
  ['3%', 0.03],
  ['0.5 %', 0.005],
  ['0.03', 0.03],
  ['.25', 0.25],
  ['0', 0],
  ['99%', 0.99],
  ['1', null],
  ['100%', null],
  ['3', null],
  ['-1%', null],
  ['1e-2', null],
  ['', null],
  ['%', null],
])('%j as a share is %s', (text, share) => {
  expect(parseShare(text)).toBe(share);
});

test('own options are taken out, the others stay in their order', () => {
  const faults: Fault[] = [];
  const words = ['-m', 'x.gguf', '--a', '-fa 0', '-t', '2', '--b=-fa 1', '--margin', '1%'];
  const { values, rest } = takeOptions(words, ['--a', '--b', '--margin'], faults);
  expect(Object.fromEntries(values)).toEqual({ '--a': '-fa 0', '--b': '-fa 1', '--margin': '1%' });
  expect(rest).toEqual(['-m', 'x.gguf', '-t', '2']);
  expect(faults).toEqual([]);
});

test('an option twice and one without a value are faults', () => {
  const faults: Fault[] = [];
  takeOptions(['--a', 'x', '--a', 'y', '--b'], ['--a', '--b'], faults);
  expect(faults).toEqual([
    { where: '--a', what: 'is given twice' },
    { where: '--b', what: 'needs a value' },
  ]);
});

test('another option is no value, except for a side', () => {
  const faults: Fault[] = [];
  const words = ['--max-rounds', '--alpha', '0.1', '--junit', '-m', 'x.gguf', '--a', '-v'];
  const names = ['--max-rounds', '--alpha', '--junit', '--a'];
  const { values, named, rest } = takeOptions(words, names, faults);
  expect(Object.fromEntries(values)).toEqual({ '--alpha': '0.1', '--a': '-v' });
  expect([...named]).toEqual(names);
  expect(rest).toEqual(['-m', 'x.gguf']);
  expect(faults).toEqual([
    { where: '--max-rounds', what: 'needs a value' },
    { where: '--junit', what: 'needs a value' },
  ]);
});

test('a side that a shell has divided is shown as it should be typed', () => {
  expect(findUnquotedSides(['-m', 'x', '--a', '-fa', '0', '--b', '-fa', '1'])).toEqual([
    { where: '--a', what: 'has -fa alone, and "0" stands apart', hint: '--a "-fa 0"' },
    { where: '--b', what: 'has -fa alone, and "1" stands apart', hint: '--b "-fa 1"' },
  ]);
  for (const words of ['--a|-fa 0|--b|-fa 1', '--a||--b|-v', '--a|-v|-m|x', '-m|x']) {
    expect(findUnquotedSides(words.split('|'))).toEqual([]);
  }
});
