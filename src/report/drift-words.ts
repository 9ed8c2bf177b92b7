import { formatLimit } from '../analysis/format-limit.ts';
import type { DriftAnalysis } from '../formats/analysis.ts';
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
