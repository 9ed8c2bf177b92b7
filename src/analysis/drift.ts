import type { DriftAnalysis } from '../formats/analysis.ts';
import { linearDriftToReach, measureDrift, roundsNeeded } from '../stats/drift.ts';
import { toNumber } from '../stats/fraction.ts';
import { type ItemSample, toNanoseconds } from './item-sample.ts';
import type { Measurements } from './measurements.ts';

/** Drift of the reference in each phase, by the order of the rounds. */
export function analyzeDrift(
  samples: readonly ItemSample[],
  { phases, rules, unitsPerNs }: Pick<Measurements, 'phases' | 'rules' | 'unitsPerNs'>,
): DriftAnalysis[] {
  return phases.map((phase) => {
    const reference = samples.find(({ item, isReference }) => isReference && item.phase === phase);
    if (reference === undefined) {
      const reason = 'no item of this phase is marked as the reference';
      return { state: 'not-evaluable', phase, rounds: 0, reason };
    }
    const rounds = reference.observed.length;
    const byRound = reference.observed.toSorted((a, b) => a.round - b.round);
    const drift = measureDrift(
      byRound.map(({ sum }) => sum),
      rules.drift,
    );
    if (drift === null) {
      const reason = `the reference has ${rounds} valid rounds; ${roundsNeeded(rules.drift)} are needed`;
      return { state: 'not-evaluable', phase, rounds, reason };
    }
    return {
      state: 'evaluated',
      phase,
      rounds,
      edgeRounds: rules.drift.edgeRounds,
      firstMedianNs: toNanoseconds(drift.firstMedian, unitsPerNs),
      lastMedianNs: toNanoseconds(drift.lastMedian, unitsPerNs),
      change: toNumber(drift.change),
      threshold: rules.drift.above,
      exceeded: drift.exceeded,
      linearDriftToReach: toNumber(linearDriftToReach(rounds, rules.drift)),
    };
  });
}
