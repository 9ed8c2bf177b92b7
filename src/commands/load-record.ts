import type { CampaignRecord } from '../analysis/campaign-record.ts';
import { createCollector } from '../analysis/collect.ts';
import { readLedger } from '../ledger/read.io.ts';

/** Reads, checks and gathers a ledger. @throws RooflawError `not-found`, `ledger-broken` */
export async function loadRecord(ledger: string): Promise<CampaignRecord> {
  const collector = createCollector();
  await readLedger(ledger, collector.take);
  return collector.finish();
}
