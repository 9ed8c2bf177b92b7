import { expect, test } from 'vitest';
import { judgeRatio } from '../../src/stats/verdict.ts';

const limits = { margin: 0.005, equivalence: 0.02 };

test('all of the interval must be clear of the margin', () => {
  expect(judgeRatio({ lower: 1.0051, upper: 1.2 }, limits)).toBe('slower');
  expect(judgeRatio({ lower: 0.8, upper: 0.9949 }, limits)).toBe('faster');
  expect(judgeRatio({ lower: 1.005, upper: 1.2 }, limits)).toBe('inconclusive');
  expect(judgeRatio({ lower: 0.8, upper: 0.995 }, limits)).toBe('inconclusive');
});

test('inside the limits it is equivalent, the limits included, unless none were given', () => {
  expect(judgeRatio({ lower: 0.98, upper: 1.02 }, limits)).toBe('equivalent');
  expect(judgeRatio({ lower: 0.979, upper: 1.02 }, limits)).toBe('inconclusive');
  expect(judgeRatio({ lower: 0.98, upper: 1.021 }, limits)).toBe('inconclusive');
  expect(judgeRatio({ lower: 0.999, upper: 1.001 }, { margin: 0.005, equivalence: null })).toBe(
    'inconclusive',
  );
});

test('a small but clear difference is called by its direction', () => {
  expect(judgeRatio({ lower: 1.006, upper: 1.01 }, limits)).toBe('slower');
  expect(judgeRatio({ lower: 0.985, upper: 0.99 }, limits)).toBe('faster');
});

test('no interval decides nothing', () => {
  expect(judgeRatio(null, limits)).toBe('inconclusive');
});
