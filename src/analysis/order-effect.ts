import type { OrderEffect } from '../formats/analysis.ts';
import type { Phase } from '../formats/architecture.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import { signTest } from '../stats/sign-test.ts';
import { formatCount } from '../units.ts';
import { type ItemSample, toNanoseconds } from './item-sample.ts';

/** The fewest rounds whose sign test can come out below 0.05: 2 / 2^6. */
const fewestRounds = 6;

/** Differences of logarithms below this are rounding: they count as ties. */
const rounding = 1e-12;

/**
 * Whether trials late in a round are slower or faster than early ones. In each round the valid
 * trials of the phase stand in the order of their positions, each as its residual: the logarithm of
 * its mean over its item's median. Compared are the median residuals of the later and the earlier
 * half (an odd one in the middle belongs to neither), round by round, by a sign test. It assumes
 * that the order inside each round was drawn at random.
 */
export function analyzeOrderEffect(
  samples: readonly ItemSample[],
  phases: readonly Phase[],
  unitsPerNs: bigint,
): OrderEffect[] {
  return phases.map((phase) => {
    const ofPhase = samples.filter(({ item }) => item.phase === phase);
    const differences = gatherRounds(ofPhase, unitsPerNs)
      .filter((round) => round.length >= 2)
      .map(compareHalves);
    const rounds = differences.length;
    if (rounds < fewestRounds) {
      const reason = `${formatCount(rounds, 'round')} with at least two valid trials of this phase; ${fewestRounds} are needed`;
      return { state: 'not-evaluable', phase, reason };
    }
    const { positive, negative, zeros, pValue } = signTest(differences);
    return {
      state: 'evaluated',
      phase,
      medianDifference: Math.expm1(medianOfNumbers(differences)!),
      rounds,
      laterSlower: positive,
      laterFaster: negative,
      ties: zeros,
      pValue,
    };
  });
}

interface Residual {
  position: number;
  value: number;
}

/** The residuals of each round, in the order of their positions. */
function gatherRounds(samples: readonly ItemSample[], unitsPerNs: bigint): Residual[][] {
  const rounds = new Map<number, Residual[]>();
  for (const { observed, meansNs, median } of samples) {
    if (median === null) continue;
    const logMedian = Math.log(toNanoseconds(median, unitsPerNs));
    observed.forEach(({ round, position }, index) => {
      const residual = { position, value: Math.log(meansNs[index]!) - logMedian };
      const gathered = rounds.get(round);
      if (gathered === undefined) rounds.set(round, [residual]);
      else gathered.push(residual);
    });
  }
  return [...rounds.values()].map((round) => round.sort((a, b) => a.position - b.position));
}

/** Median residual of the later half less that of the earlier half. */
function compareHalves(round: readonly Residual[]): number {
  const values = round.map(({ value }) => value);
  const half = Math.floor(values.length / 2);
  const later = medianOfNumbers(values.slice(-half))!;
  const earlier = medianOfNumbers(values.slice(0, half))!;
  return Math.abs(later - earlier) < rounding ? 0 : later - earlier;
}
