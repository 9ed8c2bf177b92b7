import fc from 'fast-check';
import { expect, test } from 'vitest';
import { doubledMidranks } from '../../src/stats/ranks.ts';

test('ranks are doubled, and values that tie share the mean of theirs', () => {
  expect(doubledMidranks([])).toEqual([]);
  expect(doubledMidranks([30, 10, 20])).toEqual([6, 2, 4]);
  expect(doubledMidranks([1, 2, 2, 3, 2, 3, 4, 4])).toEqual([2, 6, 6, 11, 6, 11, 15, 15]);
});

test('values that differ by rounding alone are tied, others are not', () => {
  expect(doubledMidranks([0.1 + 0.2, 0.3])).toEqual([3, 3]);
  expect(doubledMidranks([16.5, 16.5 * (1 + 2e-12)])).toEqual([2, 4]);
  expect(doubledMidranks([-0.3, -0.1 - 0.2, 0])).toEqual([3, 3, 6]);
});

test('neighbours do not chain: each is held against the first of its group', () => {
  expect(doubledMidranks([0, 0.8, 1.6, 2.4], 1)).toEqual([3, 3, 7, 7]);
});

test('a tolerance ties what carries the rounding of larger values', () => {
  expect(doubledMidranks([160_000.3 - 160_000.2, 0.1])).toEqual([2, 4]);
  expect(doubledMidranks([160_000.3 - 160_000.2, 0.1], 1e-7)).toEqual([3, 3]);
});

test('ranks sum to n(n+1)/2 and follow the order of the values', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 })), (values) => {
      const doubled = doubledMidranks(values);
      expect(doubled.reduce((sum, rank) => sum + rank, 0)).toBe(
        values.length * (values.length + 1),
      );
      values.forEach((value, i) => {
        const below = values.filter((other) => other < value).length;
        const equal = values.filter((other) => other === value).length;
        expect(doubled[i]).toBe(2 * below + equal + 1);
      });
    }),
  );
});
