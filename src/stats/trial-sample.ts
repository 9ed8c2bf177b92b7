/** How many repetitions a process makes and how many of them, the last, are kept. */
export interface RepetitionCounts {
  warmup: number;
  kept: number;
}

export type TrialSample =
  | { state: 'valid'; kept: bigint[]; keptSum: bigint }
  | { state: 'invalid'; code: 'wrong-repetition-count' | 'invalid-time' };

/**
 * One trial's contribution: its kept repetitions in whole ns and their sum, which is the trial
 * mean times `counts.kept`, without rounding. A trial with another number of repetitions, or with
 * any that is not a positive finite whole number, is a failure; repetitions are never dropped.
 */
export function takeTrialSample(wallNs: readonly number[], counts: RepetitionCounts): TrialSample {
  if (wallNs.length !== counts.warmup + counts.kept) {
    return { state: 'invalid', code: 'wrong-repetition-count' };
  }
  if (!wallNs.every((ns) => Number.isSafeInteger(ns) && ns > 0)) {
    return { state: 'invalid', code: 'invalid-time' };
  }
  const kept = wallNs.slice(counts.warmup).map(BigInt);
  return { state: 'valid', kept, keptSum: kept.reduce((sum, ns) => sum + ns, 0n) };
}
