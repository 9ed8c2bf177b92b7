import { describe, expect, test } from 'vitest';
import { planOrders } from '../../src/protocol/balanced-order.ts';

/** How often each arm stands in each place, and directly after each other arm. */
function countPlaces(orders: readonly (readonly number[])[], n: number) {
  const places = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  const followers = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (const order of orders) {
    order.forEach((arm, place) => {
      places[arm]![place]! += 1;
      const before = order[place - 1];
      if (before !== undefined) followers[before]![arm]! += 1;
    });
  }
  return { places: places.flat(), followers };
}

const offDiagonal = (counts: readonly (readonly number[])[]) =>
  counts.flatMap((row, at) => row.filter((_, other) => other !== at));

describe('a Williams design', () => {
  test.each([
    [2, 2],
    [3, 6],
    [4, 4],
    [5, 10],
    [6, 6],
  ])('of %i arms is balanced in %i blocks, for places and for what came before', (n, blocks) => {
    const { places, followers } = countPlaces(planOrders('williams', n, blocks, 'seed'), n);
    expect(new Set(places)).toEqual(new Set([blocks / n]));
    expect(new Set(offDiagonal(followers))).toEqual(new Set([blocks / n]));
  });

  test('of one arm is that arm', () => {
    expect(planOrders('williams', 1, 3, 'seed')).toEqual([[0], [0], [0]]);
  });
});

test('a Latin square has each arm in each place once in n blocks', () => {
  const { places } = countPlaces(planOrders('latin-square', 5, 5, 'seed'), 5);
  expect(new Set(places)).toEqual(new Set([1]));
});

test('drawn orders are permutations, and all of them come up', () => {
  const orders = planOrders('random', 3, 200, 'seed').map((order) => order.join(''));
  expect([...new Set(orders)].sort()).toEqual(['012', '021', '102', '120', '201', '210']);
});

test('a second square is another one, and the same seed gives the same orders', () => {
  const orders = planOrders('williams', 4, 40, 'seed').map((order) => order.join(''));
  expect(new Set(orders).size).toBeGreaterThan(4);
  expect(planOrders('williams', 4, 40, 'seed').map((order) => order.join(''))).toEqual(orders);
  expect(planOrders('williams', 4, 40, 'other').map((order) => order.join(''))).not.toEqual(orders);
});

test('fewer blocks are the beginning of more', () => {
  expect(planOrders('williams', 4, 24, 's').slice(0, 7)).toEqual(planOrders('williams', 4, 7, 's'));
});
