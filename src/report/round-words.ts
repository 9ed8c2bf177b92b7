import type { OrderEffect, RoundSubsetsAnalysis } from '../formats/analysis.ts';
import { formatWhole } from '../units.ts';
import { formatChange, formatPValue } from './quantities.ts';

/** How the number of stable flags depends on which rounds one looks at. */
export function describeSubsets(subsets: RoundSubsetsAnalysis, itemCount: number): string {
  if (subsets.state === 'not-evaluable') return `Not evaluable: ${subsets.reason}.`;
  const { rounds, size, minimum, maximum, mean, isExhaustive } = subsets;
  const all = formatWhole(subsets.subsets);
  const which = isExhaustive ? `all ${all} subsets` : `${all} random subsets`;
  const flags = minimum === maximum ? `${minimum}` : `${minimum} to ${maximum}`;
  return (
    `In ${which} of ${size} of the ${rounds} rounds, ${flags} of ${itemCount} items carry the stable flag, ` +
    `${mean.toFixed(2)} in the mean. The subsets share trials, so they are not independent repeats; fewer rounds ` +
    'show fewer rare delays, so more flags alone do not mean a better environment.'
  );
}

/** Whether being late in a round costs or gains anything; one phase. */
export function describeOrderEffect(effect: OrderEffect): string {
  if (effect.state === 'not-evaluable') return `not evaluable: ${effect.reason}`;
  const { rounds, laterSlower, laterFaster, ties, medianDifference, pValue } = effect;
  const tied = ties > 0 ? ` and neither in ${ties}` : '';
  return (
    `the later half of the trials was slower in ${laterSlower}, faster in ${laterFaster}${tied} of ${rounds} rounds; ` +
    `later against earlier ${formatChange(medianDifference)} of the time in the median round ` +
    `(sign test over rounds, two-sided, ${formatPValue(pValue)})`
  );
}
