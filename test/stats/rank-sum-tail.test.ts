import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toNumber } from '../../src/stats/fraction.ts';
import { rankSumTail } from '../../src/stats/rank-sum-tail.ts';
import { doubledMidranks } from '../../src/stats/ranks.ts';

/** Every choice of `size` of the ranks, one by one. */
function shareByTrying(ranks: readonly number[], size: number, observed: number): number {
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const distance = (sum: number) => Math.abs(sum * ranks.length - total * size);
  let [all, far] = [0, 0];
  for (let choice = 0; choice < 2 ** ranks.length; choice++) {
    const chosen = ranks.filter((_, index) => (choice >> index) & 1);
    if (chosen.length !== size) continue;
    all++;
    if (distance(chosen.reduce((sum, rank) => sum + rank, 0)) >= distance(observed)) far++;
  }
  return far / all;
}

test('the tail is the share of all choices, tried one by one, with ties and unequal sides', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 11 }),
      fc.nat({ max: 11 }),
      (values, wanted) => {
        const size = Math.min(wanted, values.length);
        const ranks = doubledMidranks(values);
        const observed = ranks.slice(0, size).reduce((sum, rank) => sum + rank, 0);
        const tail = rankSumTail(ranks, size, observed);
        expect(tail.method === 'exact' && toNumber(tail.share)).toBeCloseTo(
          shareByTrying(ranks, size, observed),
          15,
        );
      },
    ),
  );
});
