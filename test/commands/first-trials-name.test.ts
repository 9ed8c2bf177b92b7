import { expect, test } from 'vitest';
import { nameFirstTrials } from '../../src/commands/first-trials-name.ts';

test('a pilot is named after its campaign', () => {
  expect(nameFirstTrials('mine', 'pilot')).toBe('mine-pilot');
  expect(nameFirstTrials('n'.repeat(58), 'probe')).toBe(`${'n'.repeat(58)}-probe`);
});

test('long names that differ at their ends have pilots of their own, and none is too long', () => {
  const names = ['1', '2'].map((end) => nameFirstTrials(`${'n'.repeat(63)}${end}`, 'pilot'));
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name).toMatch(/^n{49}-[0-9a-f]{8}-pilot$/);
});
