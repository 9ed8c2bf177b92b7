import type { Fault } from '../errors.ts';
import type { Stopping } from '../formats/protocol.ts';
import { fractionOfDecimal } from '../stats/fraction.ts';
import type { SequentialMethod } from '../stats/sequential.ts';
import { formatCount } from '../units.ts';
import { alphaOfEach } from './stopping.ts';

/** Ranks beyond it are not tested; a campaign that long has other questions than when to stop. */
const mostRounds = 1000;

/**
 * A stopping rule that can never decide anything, or not be followed.
 * @param family how many comparisons share alpha; 1 where only the protocol is known
 */
export function findStoppingFaults(stopping: Stopping, maximum: number, family: number): Fault[] {
  if (maximum > mostRounds) {
    return [
      {
        where: 'processesPerItem',
        what: `${maximum} rounds are more than a stopping rule is offered for`,
        hint: `at most ${mostRounds}`,
      },
    ];
  }
  const alpha = alphaOfEach(stopping, family);
  const needed = findFirstRound(stopping.method, alpha);
  if (needed <= maximum) return [];
  const shared = stopping.correction === 'bonferroni' && family > 1;
  const each = shared ? ` for each of ${formatCount(family, 'comparison')}` : '';
  const more = needed > mostRounds ? '' : `at least ${needed}, `;
  return [
    {
      where: 'processesPerItem',
      what: `at most ${formatCount(maximum, 'round')}: ${stopping.method} with alpha ${Number(alpha.toPrecision(3))}${each} can decide nothing by then`,
      hint: `${more}fewer comparisons, or a larger alpha`,
    },
  ];
}

/**
 * The least maximum of rounds with which anything can be decided, t rounds that all point one way:
 * S1 needs E_t(0) = prod_{i<t} (4i+1)/(2i+1) >= 1/alpha, S2 2^(1-t) <= alpha, neither before two
 * rounds. Compared exactly. It equals the first maximum at which `roundsToDecide` is not null.
 * @returns Infinity for an alpha of 0, which the least double comes to when it is divided
 */
export function findFirstRound(method: SequentialMethod, alpha: number): number {
  if (alpha === 0) return Number.POSITIVE_INFINITY;
  let { numerator: evidence, denominator: bound } = fractionOfDecimal(alpha);
  for (let round = 2; ; round++) {
    if (method === 'S1') {
      evidence *= BigInt(4 * round - 3);
      bound *= BigInt(2 * round - 1);
    } else evidence *= 2n;
    if (evidence >= bound) return round;
  }
}
