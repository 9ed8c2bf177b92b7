import type { DriftAnalysis } from '../formats/analysis.ts';
import type { Phase } from '../formats/architecture.ts';
import type { Protocol } from '../formats/protocol.ts';
import { linearDriftToReach, measureDrift, roundsNeeded } from '../stats/drift.ts';
import { toNumber } from '../stats/fraction.ts';

/**
 * Drift of the reference in one phase.
 * @param keptSums sums of the kept repetitions of its valid trials, in ns, in order of the rounds
 */
export function analyzeDrift(
  phase: Phase,
  keptSums: readonly bigint[],
  protocol: Protocol,
): DriftAnalysis {
  const rule = protocol.flags.drift;
  const rounds = keptSums.length;
  const drift = measureDrift(keptSums, rule);
  if (drift === null) {
    const reason = `the reference has ${rounds} valid rounds; ${roundsNeeded(rule)} are needed`;
    return { state: 'not-evaluable', phase, rounds, reason };
  }
  const keptCount = BigInt(protocol.repetitions.kept);
  const { firstMedian, lastMedian } = drift;
  return {
    state: 'evaluated',
    phase,
    rounds,
    edgeRounds: rule.edgeRounds,
    firstMedianNs: toNumber({ ...firstMedian, denominator: firstMedian.denominator * keptCount }),
    lastMedianNs: toNumber({ ...lastMedian, denominator: lastMedian.denominator * keptCount }),
    change: toNumber(drift.change),
    threshold: rule.above,
    exceeded: drift.exceeded,
    linearDriftToReach: toNumber(linearDriftToReach(rounds, rule)),
  };
}
