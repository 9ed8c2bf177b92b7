import { formatLimit } from '../analysis/format-limit.ts';
import type { DriftAnalysis } from '../formats/analysis.ts';
import type { Phase } from '../formats/architecture.ts';
import { chooseTimeUnit, formatChange, formatIn } from './quantities.ts';

/** One phase's drift of the reference as a sentence without the phase. */
export function describeDrift(drift: DriftAnalysis): string {
  if (drift.state === 'not-evaluable') return `not evaluable: ${drift.reason}`;
  const unit = chooseTimeUnit(drift.firstMedianNs);
  const first = formatIn(unit, drift.firstMedianNs);
  const last = `${formatIn(unit, drift.lastMedianNs)} ${unit.name}`;
  const verdict = drift.exceeded ? 'MARKED FOR REVIEW: more than' : 'not more than';
  return (
    `${first} to ${last}, ${formatChange(drift.change)} ` +
    `(medians of the first and last ${drift.edgeRounds} of ${drift.rounds} rounds); ` +
    `${verdict} ${formatLimit(drift.threshold)}`
  );
}

/** The second line of every output when the reference drifted; null when no phase is marked. */
export function describeMarks(
  marked: readonly { phase: Phase; change: number; threshold: number }[],
): string | null {
  if (marked.length === 0) return null;
  const changes = marked.map(
    ({ phase, change, threshold }) =>
      `${formatChange(change)} in ${phase} (more than ${formatLimit(threshold)})`,
  );
  return `DRIFT, MARKED FOR REVIEW: from its first rounds to its last the reference changed by ${changes.join(' and ')}.`;
}

/** The same of a campaign, with what it does to the projections beside it. */
export function describeMarkedDrift(drift: readonly DriftAnalysis[]): string | null {
  const marks = describeMarks(
    drift.flatMap((one) => (one.state === 'evaluated' && one.exceeded ? [one] : [])),
  );
  return marks && `${marks} The projection of trials needed does not hold under drift.`;
}
