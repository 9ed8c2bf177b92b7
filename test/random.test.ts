import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom, shuffled } from '../src/random.ts';

test('the same seed gives the same sequence, as an independent implementation does', () => {
  const random = createRandom('rooflaw');
  expect([random.nextUint32(), random.nextUint32(), random.nextUint32()]).toEqual([
    1484598671, 3754733180, 1015731783,
  ]);
});

test('a shuffle is a permutation', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.string(), (items, seed) => {
      const order = shuffled(items, createRandom(seed));
      expect([...order].sort((a, b) => a - b)).toEqual([...items].sort((a, b) => a - b));
    }),
  );
});

test('every order of three things appears about equally often', () => {
  const counts = new Map<string, number>();
  const random = createRandom('uniform');
  for (let i = 0; i < 6000; i++) {
    const order = shuffled(['a', 'b', 'c'], random).join('');
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150); // 5 sd
});
