import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import type { CampaignRecord } from '../../src/analysis/campaign-record.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import type { ComparedCampaign } from '../../src/analysis/comparability.ts';
import { loadRecord } from '../../src/commands/load-record.ts';
import type { CampaignEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { createLedger, type LedgerBuilder } from './ledger-builder.ts';
import { workedTimes } from './worked-campaign.ts';

/** A campaign as `compare` loads it. */
function analyze(origin: CampaignRecord): ComparedCampaign {
  return { analysis: analyzeCampaign(origin, new Map()), origin };
}

export async function loadLedger(path: string): Promise<ComparedCampaign> {
  return analyze(await loadRecord(path));
}

/** Analyses the ledger that `fill` writes into. */
export async function buildCompared(
  plan: Plan,
  fill: (ledger: LedgerBuilder) => void,
  changes: Partial<CampaignEntry> = {},
): Promise<ComparedCampaign> {
  const ledger = createLedger(plan, changes);
  fill(ledger);
  return analyze(collectCampaign(ledger.entries));
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
