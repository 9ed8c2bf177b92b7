import type { LedgerEntry } from '../formats/ledger.ts';

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
  ended: boolean;
}

export function emptyState(): CampaignState {
  return {
    finished: new Set(),
    attempts: new Map(),
    dangling: null,
    sessionCount: 0,
    observed: 0,
    failed: 0,
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
      return;
    case 'interrupted':
      state.dangling = null;
      return;
    case 'end':
      state.ended = true;
  }
}
