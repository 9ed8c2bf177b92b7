import { expect, test } from 'vitest';
import { nameBench } from '../../src/commands/bench-words.ts';
import { makeNames } from '../../src/commands/make-names.ts';
import { nameSchema } from '../../src/formats/architecture.ts';
import { fileModel } from '../support/variant-plan.ts';

test('words become names: signs between words are dashes, equal signs are left out', () => {
  expect(makeNames(['fa=1,t=4', 'b=128,512', 'llama.cpp/build', 'Qwen_3-8B.Q4_K_M'])).toEqual([
    'fa1-t4',
    'b128-512',
    'llama.cpp-build',
    'Qwen_3-8B.Q4_K_M',
  ]);
});

test('a name begins with a letter or digit, and a word without any is unnamed', () => {
  expect(makeNames(['--x', '.hidden', '_y', '…', ''])).toEqual([
    'x',
    'hidden',
    'y',
    'unnamed',
    'unnamed-2',
  ]);
});

test('equal words are numbered, and so are words that a number would make equal', () => {
  expect(makeNames(['build', 'build', 'build-2', 'build'])).toEqual([
    'build',
    'build-2',
    'build-2-2',
    'build-3',
  ]);
});

test('a long word is cut to 64 signs, its number among them', () => {
  const long = 'a'.repeat(80);
  expect(makeNames([long, long])).toEqual(['a'.repeat(64), `${'a'.repeat(62)}-2`]);
  for (const name of makeNames(Array(12).fill(long))) {
    expect(nameSchema.safeParse(name).success).toBe(true);
  }
});

test('a campaign of bench is named after its first model and the time, and leaves room for its pilot', () => {
  const now = new Date('2026-11-29T14:30:05Z');
  const [short, long] = [fileModel('qwen', 'a'), fileModel('m'.repeat(64), 'b')];
  expect(nameBench([short], now)).toBe('qwen-2026-11-29-143005');
  expect(nameBench([short, long, long], now)).toBe('qwen-and-2-2026-11-29-143005');
  for (const models of [[long], [long, short], Array(12).fill(long)]) {
    const name = nameBench(models, now);
    expect(name).toMatch(/^m+(-and-\d+)?-2026-11-29-143005$/);
    expect(nameSchema.safeParse(`${name}-pilot`).success).toBe(true);
  }
});
