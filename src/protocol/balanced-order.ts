import type { Experiment } from '../formats/experiment.ts';
import { createRandom, type RandomSource, shuffled } from '../random.ts';

/**
 * Orders of n arms, one for each block, by which no arm has a better place than another.
 *
 * `williams`: in n orders (2n where n is odd) each arm stands in each place equally often, and directly
 * after each other arm equally often (Williams 1949, Aust. J. Sci. Res. A 2, 149-168). `latin-square`:
 * in n orders each arm stands in each place once. `random`: each order is drawn. The rows of a square
 * come in random order and with random labels, another square whenever one is used up; a part of a
 * square is as balanced as its rows allow.
 * @param seed text; equal seeds give equal orders
 * @returns `blocks` permutations of 0 to n - 1
 */
export function planOrders(
  design: Experiment['order'],
  n: number,
  blocks: number,
  seed: string,
): number[][] {
  const orders: number[][] = [];
  for (let square = 0; orders.length < blocks; square++) {
    orders.push(...drawSquare(design, n, createRandom(`${seed}/${square}`)));
  }
  return orders.slice(0, blocks);
}

function drawSquare(design: Experiment['order'], n: number, random: RandomSource): number[][] {
  const arms = Array.from({ length: n }, (_, arm) => arm);
  if (design === 'random') return [shuffled(arms, random)];
  const labels = shuffled(arms, random);
  const rows = design === 'williams' ? williamsRows(n) : cyclicRows(arms, n);
  return shuffled(rows, random).map((row) => row.map((place) => labels[place]!));
}

const cyclicRows = (first: readonly number[], n: number): number[][] =>
  Array.from({ length: n }, (_, shift) => first.map((place) => (place + shift) % n));

/** 0, 1, n-1, 2, n-2, ... shifted; where n is odd, each row backwards besides. */
function williamsRows(n: number): number[][] {
  const first = Array.from({ length: n }, (_, at) =>
    at % 2 === 1 ? (at + 1) / 2 : (n - at / 2) % n,
  );
  const rows = cyclicRows(first, n);
  return n % 2 === 0 || n === 1 ? rows : [...rows, ...rows.map((row) => row.toReversed())];
}
