import type { RandomSource } from '../../src/random.ts';
import type { Mutation } from './mutation.ts';
import type { Expectation } from './tally.ts';

type Change = readonly [Expectation, Mutation];

/**
 * As many changes of each kind, every one of a kind as likely as the others, in their order; all of a
 * kind of which there are no more.
 */
export function sampleKinds(
  changes: readonly Change[],
  perKind: number,
  random: RandomSource,
): Change[] {
  const kinds = Map.groupBy(changes.keys(), (index) => changes[index]![1].kind);
  const chosen = [...kinds.values()].flatMap((indices) => draw(indices, perKind, random));
  return chosen.sort((a, b) => a - b).map((index) => changes[index]!);
}

/** So many of a list, without putting one back. */
function draw(list: readonly number[], count: number, random: RandomSource): number[] {
  const left = [...list];
  return Array.from({ length: Math.min(count, list.length) }, () => {
    const [one] = left.splice(random.nextBelow(left.length), 1);
    return one!;
  });
}
