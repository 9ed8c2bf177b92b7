import type { StartTransient } from '../formats/llama-bench-import.ts';
import { fractionOfDecimal, toNumber } from '../stats/fraction.ts';
import { median } from '../stats/median.ts';
import { describeSamples } from './sample-statistics.ts';

/** The same factor as for slow trials of an item: 5 % is what this project calls a difference. */
export const startThreshold = 1.05;
/** With two samples there is no rest that the first could differ from. */
const leastSamples = 3;

/**
 * The samples at the start of a test, at most half of them, that are all more than `startThreshold`
 * times as slow as every later one (or as fast): the most that are. Without any effect of the start
 * the k slowest of n samples come first with probability 1/C(n, k), so that a flag is a reason to
 * look and no proof; the same flag in many tests is one.
 */
export function findStartTransient(
  samplesNs: readonly bigint[],
  tokens: number,
): StartTransient | null {
  if (samplesNs.length < leastSamples) return null;
  const slow = countAtStart(samplesNs, 'slower');
  const fast = countAtStart(samplesNs, 'faster');
  const count = Math.max(slow, fast);
  if (count === 0) return null;
  const rest = samplesNs.slice(count);
  const { numerator, denominator } = median(rest)!;
  return {
    count,
    direction: slow > 0 ? 'slower' : 'faster',
    threshold: startThreshold,
    firstOverRest: toNumber({ numerator: samplesNs[0]! * denominator, denominator: numerator }),
    rest: describeSamples(rest, tokens),
  };
}

type Direction = StartTransient['direction'];

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
const larger = (a: bigint, b: bigint) => (a > b ? a : b);

/** The largest k <= n/2 such that each of the first k samples is beyond each of the others. */
function countAtStart(samples: readonly bigint[], direction: Direction): number {
  const [nearestEarly, nearestLate] =
    direction === 'slower' ? [smaller, larger] : [larger, smaller];
  // at index k: the one of samples[k], samples[k + 1], ... that is nearest to the early ones
  const late = [...samples];
  for (let index = late.length - 2; index >= 0; index--) {
    late[index] = nearestLate(late[index]!, late[index + 1]!);
  }
  let found = 0;
  let early = samples[0]!;
  for (let count = 1; count <= samples.length / 2; count++) {
    early = nearestEarly(early, samples[count - 1]!);
    const others = late[count]!;
    if (direction === 'slower' ? isBeyond(early, others) : isBeyond(others, early)) found = count;
  }
  return found;
}

const { numerator: factor, denominator: unit } = fractionOfDecimal(startThreshold);

function isBeyond(large: bigint, small: bigint): boolean {
  return large * unit > small * factor;
}
