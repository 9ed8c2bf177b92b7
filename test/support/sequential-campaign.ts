import { advanceState, emptyState } from '../../src/campaign/resume.ts';
import { runCampaign } from '../../src/campaign/run-campaign.ts';
import type { LedgerEntry, UnchainedEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import type { Trial } from '../../src/formats/trial.ts';
import { fakePorts } from './fake-ports.ts';
import { createFakeRunner, runnerLines } from './fake-runner.ts';
import { createLedger } from './ledger-builder.ts';

/**
 * All that a campaign writes after its first session, as the program writes it.
 * @param nsOf what each repetition of a trial takes; null: it fails after all of them
 */
export async function measureWith(
  plan: Plan,
  nsOf: (trial: Trial, call: number) => number | null,
): Promise<UnchainedEntry[]> {
  const state = emptyState(plan);
  const entries: UnchainedEntry[] = [];
  const runner = createFakeRunner((_record, call, trial) => {
    const ns = nsOf(trial, call);
    return ns === null ? { exitStatus: 1 } : { lines: runnerLines(trial, () => ns) };
  });
  const campaign = runCampaign(
    plan,
    state,
    0,
    fakePorts({
      runner,
    }),
  );
  for await (const entry of campaign) {
    entries.push(entry);
    advanceState(state, { ...entry, seq: 0, prev: '', time: '' } as LedgerEntry);
  }
  return entries;
}

/** The same with its beginning, chained. */
export function chainCampaign(plan: Plan, entries: readonly UnchainedEntry[]): LedgerEntry[] {
  const ledger = createLedger(plan);
  for (const entry of entries) ledger.add(entry);
  return ledger.entries;
}
