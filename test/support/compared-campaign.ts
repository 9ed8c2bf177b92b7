import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import type { ComparedCampaign } from '../../src/analysis/comparability.ts';
import type { CampaignEntry, LedgerEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { createLedger, type LedgerBuilder } from './ledger-builder.ts';
import { workedTimes } from './worked-campaign.ts';

/** A campaign as `compare` loads it. */
export async function loadEntries(
  entries: Iterable<LedgerEntry> | AsyncIterable<LedgerEntry>,
): Promise<ComparedCampaign> {
  const origin = await collectCampaign(entries);
  return { analysis: analyzeCampaign(origin, new Map()), origin };
}

/** Analyses the ledger that `fill` writes into. */
export async function buildCompared(
  plan: Plan,
  fill: (ledger: LedgerBuilder) => void,
  changes: Partial<CampaignEntry> = {},
): Promise<ComparedCampaign> {
  const ledger = createLedger(plan, changes);
  fill(ledger);
  return loadEntries(ledger.entries);
}

/** Every trial takes its worked time, times a factor. */
export function observeWorked(factor: number): (ledger: LedgerBuilder) => void {
  return (ledger) => {
    for (const scheduled of ledger.schedule) {
      const times = workedTimes(scheduled).map((ns) => Math.round(ns * factor));
      ledger.observe(scheduled.trial, times);
    }
  };
}
