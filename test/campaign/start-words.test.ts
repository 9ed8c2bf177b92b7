import { expect, test } from 'vitest';
import { chooseStartWords } from '../../src/campaign/start-words.ts';

const runner = ['/r/runner', '--libraries', '/l'];

test('a plain trial starts the runner itself', () => {
  expect(chooseStartWords(runner, { wrapper: [], addresses: 'randomised' })).toEqual({
    command: '/r/runner',
    args: ['--libraries', '/l'],
    isWrapped: false,
  });
});

test('fixed addresses need a word before it, which gives its place to the runner', () => {
  expect(chooseStartWords(runner, { wrapper: [], addresses: 'fixed' })).toEqual({
    command: 'setarch',
    args: ['-R', '/r/runner', '--libraries', '/l'],
    isWrapped: false,
  });
});

test('a wrapper comes before everything, and is the runner’s parent', () => {
  expect(chooseStartWords(runner, { wrapper: ['perf', 'stat', '--'], addresses: 'fixed' })).toEqual(
    {
      command: 'perf',
      args: ['stat', '--', 'setarch', '-R', '/r/runner', '--libraries', '/l'],
      isWrapped: true,
    },
  );
});
