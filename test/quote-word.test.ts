import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoteWord } from '../src/quote-word.ts';

test('plain words stay as they are, others stand in single quotes', () => {
  expect(quoteWord('./models/qwen-7b_Q4.gguf')).toBe('./models/qwen-7b_Q4.gguf');
  expect(quoteWord('new=/opt/llama.cpp/build')).toBe('new=/opt/llama.cpp/build');
  expect(quoteWord('my model.gguf')).toBe("'my model.gguf'");
  expect(quoteWord("it's")).toBe("'it'\\''s'");
  expect(quoteWord('')).toBe("''");
});

test.skipIf(process.platform === 'win32')('a shell takes each word as it was', () => {
  for (const word of ['a b', "it's", '$HOME', '`id`', '; exit 3', '*', '~', '"', 'a\\b']) {
    const script = `printf %s ${quoteWord(word)}`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(word);
  }
});
