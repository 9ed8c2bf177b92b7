import type { CollectedExperiment } from './collect.ts';

/**
 * Why nothing is tested yet: whoever tests after every block and stops when something is found finds it too
 * often (11 % of 24 pairs without any effect, 19 % of 60). null once the declared number was measured, which
 * a ledger that broke off just before its end has too.
 */
export function explainTooEarly({
  complete,
  experiment,
  groups,
}: Pick<CollectedExperiment, 'complete' | 'experiment' | 'groups'>): string | null {
  const counts = groups.flatMap(({ arms }) => arms.map(({ processes }) => processes.length));
  const whole = Math.min(...counts);
  if (complete || whole >= experiment.blocks) return null;
  return `${whole} of ${experiment.blocks} declared blocks are measured, and nothing is tested before the last one`;
}
