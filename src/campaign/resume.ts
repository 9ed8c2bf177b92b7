import type { DecisionEntry, LedgerEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';

/** Where a campaign stands, read off its entries. */
export interface CampaignState {
  /** Trials with an outcome, observed or failed: they are not measured again. */
  finished: Set<number>;
  /** How often each unfinished trial has been tried. */
  attempts: Map<number, number>;
  /** Intended, and then nothing: the harness died in it. */
  dangling: { trial: number; attempt: number } | null;
  sessionCount: number;
  observed: number;
  failed: number;
  /** Wall times of every observed trial, which a stopping rule needs; null where none is followed. */
  wallNs: Map<number, number[]> | null;
  /** The last one; null before the first, and where the rounds are fixed. */
  decision: Pick<DecisionEntry, 'round' | 'comparisons' | 'stop'> | null;
  ended: boolean;
}

/** @param plan what is to be measured; who only looks needs none */
export function emptyState(plan?: Plan): CampaignState {
  return {
    finished: new Set(),
    attempts: new Map(),
    dangling: null,
    sessionCount: 0,
    observed: 0,
    failed: 0,
    wallNs: plan?.protocol.stopping === undefined ? null : new Map(),
    decision: null,
    ended: false,
  };
}

/** Takes one more entry into account. */
export function advanceState(state: CampaignState, entry: LedgerEntry): void {
  switch (entry.type) {
    case 'session':
      state.sessionCount += 1;
      return;
    case 'intended':
      state.dangling = { trial: entry.trial, attempt: entry.attempt };
      state.attempts.set(entry.trial, entry.attempt + 1);
      return;
    case 'observed':
    case 'failed':
      state.dangling = null;
      state.finished.add(entry.trial);
      state.attempts.delete(entry.trial);
      state[entry.type] += 1;
      if (entry.type === 'observed') {
        state.wallNs?.set(
          entry.trial,
          entry.repetitions.map(({ wallNs }) => wallNs),
        );
      }
      return;
    case 'interrupted':
      state.dangling = null;
      return;
    case 'decision':
      state.decision = entry;
      return;
    case 'end':
      state.ended = true;
  }
}
