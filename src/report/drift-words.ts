import { formatLimit } from '../analysis/format-limit.ts';
import type { DriftAnalysis, SampleAnalysis } from '../formats/analysis.ts';
import type { Phase } from '../formats/architecture.ts';
import { roundsNeeded } from '../stats/drift.ts';
import { chooseTimeUnit, formatChange, formatIn } from './quantities.ts';
import { nameFirstItem, type Watching } from './reference-words.ts';

/** One phase's drift as a sentence without the phase and without what drifted. */
export function describeDrift(
  drift: DriftAnalysis,
  analysis: Watching & Pick<SampleAnalysis, 'rules'>,
): string {
  const unwatched =
    drift.leftOutAfter === undefined
      ? ''
      : `; left out after round ${drift.leftOutAfter}, since decided, so that a later drift is not seen`;
  if (drift.state === 'not-evaluable') {
    const reason =
      nameFirstItem(analysis, drift.phase) === null
        ? drift.reason
        : `the first item has ${drift.rounds} valid rounds; ${roundsNeeded(analysis.rules.drift)} are needed`;
    return `not evaluable: ${reason}${unwatched}`;
  }
  const unit = chooseTimeUnit(drift.firstMedianNs);
  const first = formatIn(unit, drift.firstMedianNs);
  const last = `${formatIn(unit, drift.lastMedianNs)} ${unit.name}`;
  const verdict = drift.exceeded ? 'MARKED FOR REVIEW: more than' : 'not more than';
  return (
    `${first} to ${last}, ${formatChange(drift.change)} ` +
    `(medians of the first and last ${drift.edgeRounds} of ${drift.rounds} rounds); ` +
    `${verdict} ${formatLimit(drift.threshold)}${unwatched}`
  );
}

/** What drifted by more than the threshold in a phase. */
export interface DriftMark {
  phase: Phase;
  change: number;
  threshold: number;
  /** The condition of the first item, where no reference is looked at. */
  firstItem?: string | null | undefined;
}

const beginning = 'DRIFT, MARKED FOR REVIEW: from its first rounds to its last';

/** The second line of every output when something drifted; null when no phase is marked. */
export function describeMarks(marked: readonly DriftMark[]): string | null {
  const [first, ...others] = marked.map(({ phase, change, threshold, firstItem }) => ({
    subject: `the first item of ${phase}, ${firstItem},`,
    change: `by ${formatChange(change)} (more than ${formatLimit(threshold)})`,
    isFirstItem: firstItem != null,
  }));
  if (first === undefined) return null;
  if (first.isFirstItem) {
    const rest = others.map(({ subject, change }) => ` and ${subject} ${change}`);
    return `${beginning} ${first.subject} changed ${first.change}${rest.join('')}.`;
  }
  const changes = marked.map(
    ({ phase, change, threshold }) =>
      `${formatChange(change)} in ${phase} (more than ${formatLimit(threshold)})`,
  );
  return `${beginning} the reference changed by ${changes.join(' and ')}.`;
}

/** The same of a campaign, with what it does to the projections beside it. */
export function describeMarkedDrift(analysis: SampleAnalysis): string | null {
  const marks = describeMarks(
    analysis.drift.flatMap((one) =>
      one.state === 'evaluated' && one.exceeded
        ? [{ ...one, firstItem: nameFirstItem(analysis, one.phase) }]
        : [],
    ),
  );
  return marks && `${marks} The projection of trials needed does not hold under drift.`;
}
