import { expect, test } from 'vitest';
import { markMedian, markSame } from '../../src/commands/ab-result.ts';
import type { AbPair } from '../../src/formats/ab.ts';
import { createBaseExecution } from '../../src/llama-bench/options/base-execution.ts';

const pair: AbPair = {
  aNs: 100,
  bNs: 100,
  aTokensPerSecond: 1,
  bTokensPerSecond: 1,
  ratio: 1,
  interval: { lower: 0.9, upper: 1.1 },
  pairs: 9,
  reason: null,
};

test.each([
  [{}, undefined],
  [{ ratio: 0.9 }, undefined],
  [{ ratio: 1.1 }, undefined],
  [{ ratio: 0.9 - 1e-15 }, undefined], // rounding
  [{ ratio: 1.1 + 1e-15 }, undefined],
  [{ ratio: 0.89 }, true],
  [{ ratio: 1.11 }, true],
  [{ ratio: null }, undefined],
  [{ interval: null }, undefined],
])('the median lies outside of its interval: %j, %s', (changes, isOutside) => {
  expect(markMedian({ ...pair, ...changes }).isMedianOutside).toBe(isOutside);
});

const base = createBaseExecution(2);
const side = (batch: number, ubatch: number) => ({ execution: { ...base, batch, ubatch } });
const batch = [{ what: 'batch' }, { what: 'ubatch' }];
const testOf = (tokens: number, depth = 0) => ({ phase: 'prefill', tokens, depth }) as const;

test('batches above the context of a test are the same in it, and in no longer one', () => {
  const [a, b] = [side(32, 32), side(64, 64)];
  expect(markSame(testOf(8), a, b, batch)).toEqual({ isSame: true });
  expect(markSame(testOf(32), a, b, batch)).toEqual({ isSame: true });
  expect(markSame(testOf(33), a, b, batch)).toEqual({});
  expect(markSame(testOf(8, 25), a, b, batch)).toEqual({}); // 33 in all
});

test('where anything else differs, or nothing does, no test is marked', () => {
  const [a, b] = [side(32, 32), side(64, 64)];
  expect(markSame(testOf(8), a, b, [...batch, { what: 'llama.cpp' }])).toEqual({});
  expect(markSame(testOf(8), a, a, [])).toEqual({});
});
