import type { Fault } from '../errors.ts';
import type { Stopping } from '../formats/protocol.ts';
import { formatCount } from '../units.ts';
import { alphaOfEach, roundsToDecide } from './stopping.ts';

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
  if (roundsToDecide(stopping, family, maximum) !== null) return [];
  const shared = stopping.correction === 'bonferroni' && family > 1;
  const each = shared ? ` for each of ${formatCount(family, 'comparison')}` : '';
  const alpha = Number(alphaOfEach(stopping, family).toPrecision(3));
  let needed = maximum + 1;
  while (roundsToDecide(stopping, family, needed) === null) needed++;
  return [
    {
      where: 'processesPerItem',
      what: `at most ${formatCount(maximum, 'round')}: ${stopping.method} with alpha ${alpha}${each} can decide nothing by then`,
      hint: `at least ${needed}, fewer comparisons, or a larger alpha`,
    },
  ];
}
